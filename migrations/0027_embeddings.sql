-- +goose Up
-- +goose StatementBegin

-- What a model makes of the words of a topic, for whoever configured one: whole numbers from -127 to 127, one byte each. It is derived,
-- and of the revision that it names.
create table embedding (
    workspace_id uuid not null,
    topic_id     uuid not null,
    model        text not null check (length(model) between 1 and 200),
    revision     integer not null,
    vector       bytea not null check (length(vector) between 1 and 8192),
    at           timestamptz not null,
    primary key (workspace_id, topic_id, model),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);
create index embedding_by_time on embedding (workspace_id, model, at);

alter table embedding enable row level security;
alter table embedding force row level security;
create policy tenant on embedding
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
create policy visible_topic on embedding as restrictive
    using ((select true from topic x where x.workspace_id = embedding.workspace_id and x.id = embedding.topic_id) is true);

grant select, insert, update, delete on embedding to driftless_app;

-- +goose StatementEnd
