-- +goose Up
-- +goose StatementBegin

-- Which topic an imported file, or a part of one, stands for, and what the file said: the base on which the next import of the
-- same file finds what changed.
create table import_source (
    workspace_id uuid not null references workspace (id) on delete cascade,
    origin       text not null check (length(origin) <= 200),
    key          text not null check (length(key) between 1 and 1000),
    topic_id     uuid not null,
    content      jsonb not null,
    imported_at  timestamptz not null,
    primary key (workspace_id, origin, key),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);
create index import_source_by_topic on import_source (workspace_id, topic_id);

alter table import_source enable row level security;
alter table import_source force row level security;
create policy tenant on import_source
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

grant select, insert, update, delete on import_source to driftless_app;

-- +goose StatementEnd
