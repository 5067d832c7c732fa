-- +goose Up
-- +goose StatementBegin

-- What is open against a topic: evidence that something it relies on has changed. What is settled leaves the table and stays in
-- the events. Severity says how far it stands above a mere touch; the worst of a topic is its drift state.
create table finding (
    workspace_id uuid not null,
    id           uuid not null,
    topic_id     uuid not null,
    source_id    uuid,
    branch       text not null default '',
    origin       text not null check (origin in ('sync', 'hook', 'mark')),
    -- The anchor that fired, or the path or symbol that the text cites.
    anchor       text not null,
    kind         text not null check (kind in ('changed', 'signature_changed', 'moved', 'removed', 'dead_reference')),
    severity     text not null check (severity in ('touched', 'review', 'broken')),
    -- Null where only names were heard of, no content.
    score        real check (score between 0 and 1),
    commit       text not null default '',
    paths        text[] not null,
    path_count   integer not null,
    fix          text not null default '',
    at           timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);
create index finding_by_topic on finding (workspace_id, topic_id);
create index finding_by_source on finding (workspace_id, source_id);

alter table finding enable row level security;
alter table finding force row level security;
create policy tenant on finding
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
create policy visible_topic on finding as restrictive
    using ((select true from topic x where x.workspace_id = finding.workspace_id and x.id = finding.topic_id) is true);

grant select, insert, update, delete on finding to driftless_app;

-- +goose StatementEnd
