-- +goose Up
-- +goose StatementBegin

-- A repository that the server fetches by itself. Credentials are sealed with a key that is not in the database; the clone is a copy
-- on the disk of whichever process fetches.
create table source_mirror (
    workspace_id uuid not null,
    source_id    uuid not null,
    url          text not null check (length(url) between 1 and 1000),
    username     text not null default '',
    token        bytea,
    private_key  bytea,
    public_key   text not null default '',
    host_keys    text not null default '',
    created_at   timestamptz not null,
    -- When a fetch was asked for last, when the last one began, and when one succeeded.
    asked_at     timestamptz not null,
    tried_at     timestamptz,
    fetched_at   timestamptz,
    error        text not null default '',
    primary key (workspace_id, source_id),
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);

alter table source_mirror enable row level security;
alter table source_mirror force row level security;
create policy tenant on source_mirror
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

grant select, insert, update, delete on source_mirror to driftless_app;

-- +goose StatementEnd
