-- +goose Up
-- +goose StatementBegin

-- What the owner opened to anybody. public_enabled is null until an owner decides: then the configuration of the server does.
alter table workspace_setting
    add column public_enabled      boolean,
    add column public_all_reviewed boolean not null default false,
    add column public_tags         text[]  not null default '{}';

-- +goose StatementEnd
