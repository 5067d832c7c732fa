-- +goose Up
-- +goose StatementBegin

-- A repository under its one name. A disconnected one stays, so that what was anchored in it can be told from what never was.
create table source (
    workspace_id    uuid not null references workspace (id) on delete cascade,
    id              uuid not null,
    name            text not null check (length(name) between 1 and 500),
    provider        text not null check (provider in ('github', 'gitlab', 'gitea', 'generic')),
    default_branch  text not null check (length(default_branch) between 1 and 255),
    branches        text[] not null default '{}',
    connected_by    uuid references person (id),
    connected_at    timestamptz not null,
    disconnected_at timestamptz,
    primary key (workspace_id, id),
    unique (workspace_id, name)
);

-- What is known of a tracked branch: its commit and its files, packed. No text of a file is kept.
create table source_head (
    workspace_id uuid not null,
    source_id    uuid not null,
    branch       text not null,
    head         text not null check (head ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
    committed_at timestamptz not null,
    synced_at    timestamptz not null,
    files        bytea not null,
    file_count   integer not null check (file_count >= 0),
    primary key (workspace_id, source_id, branch),
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);
-- It is compressed already.
alter table source_head alter column files set storage external;

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['source', 'source_head']
        loop
            execute format('alter table %I enable row level security', t);
            execute format('alter table %I force row level security', t);
            execute format($p$create policy tenant on %I
                using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
                with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))$p$, t);
        end loop;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin

grant select, insert, update on source to driftless_app;
grant select, insert, update, delete on source_head to driftless_app;

-- +goose StatementEnd
