-- +goose Up
-- +goose StatementBegin

-- What the words of a topic refer to, read when it is written or verified. Resolved says that it meant something in a repository
-- then: what did and no longer does is drift, what never did is not. Certain are those that can hardly mean anything but a file.
create table citation (
    workspace_id uuid not null,
    id           uuid not null,
    topic_id     uuid not null,
    kind         text not null check (kind in ('link', 'path', 'glob', 'symbol', 'word')),
    text         text not null check (length(text) between 1 and 500),
    certain      boolean not null,
    resolved     boolean not null,
    at           timestamptz not null,
    primary key (workspace_id, id),
    unique (workspace_id, topic_id, kind, text),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);

alter table citation enable row level security;
alter table citation force row level security;
create policy tenant on citation
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
grant select, insert, update, delete on citation to driftless_app;

-- The number of the rules by which the references of a topic were read; 0 is never.
alter table topic add column reader integer not null default 0;

-- A cited target is a file that has to be there, a folder or glob of which something has to be there ('many'), or a symbol. It has
-- the kind of its reference. Those that are here were read by other rules, and are read again.
delete from drift_target where role = 'cited';
alter table drift_target add column kind text not null default '';
create index drift_target_wide on drift_target (workspace_id, source_id, branch) where blob = 'many';

-- +goose StatementEnd
