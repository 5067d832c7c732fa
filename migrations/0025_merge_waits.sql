-- +goose Up
-- +goose StatementBegin

-- The duplicates that are archived once the edit is merged, and not before: their anchors and relations are in it.
alter table suggested_edit add column absorbs uuid[] not null default '{}';

-- +goose StatementEnd
