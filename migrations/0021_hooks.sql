-- +goose Up
-- +goose StatementBegin

-- The secret of a push hook is derived from this key, the repository and a number that goes up when a new one is wanted, so that
-- none has to be kept.
alter table server_secret drop constraint server_secret_purpose_check;
alter table server_secret add constraint server_secret_purpose_check check (purpose in ('mcp_session', 'hook'));
insert into server_secret values ('hook', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

alter table source add column hook_number integer not null default 1 check (hook_number >= 1);

-- Whoever delivers to a hook knows its address before a workspace is known, and sees the row of that repository and no other.
create policy by_hook on source for select
    using (id = (select nullif(current_setting('app.hook', true), '')::uuid));

-- What forges delivered, each once: which files which branch changed, and nothing else of it.
create table hook_delivery (
    workspace_id uuid not null,
    source_id    uuid not null,
    delivery     text not null check (length(delivery) between 1 and 200),
    branch       text not null,
    after        text not null,
    changes      jsonb not null,
    partial      boolean not null,
    received_at  timestamptz not null,
    primary key (workspace_id, source_id, delivery),
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);
create index hook_delivery_by_branch on hook_delivery (workspace_id, source_id, branch, received_at);

alter table hook_delivery enable row level security;
alter table hook_delivery force row level security;
create policy tenant on hook_delivery
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

grant select, insert, delete on hook_delivery to driftless_app;

-- +goose StatementEnd
