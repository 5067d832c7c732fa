-- +goose Up
-- +goose StatementBegin

-- A comment sits on a topic, on a suggested edit, or on one field of either. It changes neither text nor state.
create table comment (
    workspace_id uuid not null,
    id           uuid not null,
    topic_id     uuid not null,
    edit_id      uuid,
    field        text not null default '' check (length(field) <= 200),
    body         text not null check (length(body) between 1 and 10000),
    revision     integer not null,
    author_id    uuid not null references person (id),
    via          text not null,
    status       text not null default 'open' check (status in ('open', 'resolved', 'wont_fix')),
    created_at   timestamptz not null,
    closed_by    uuid references person (id),
    closed_at    timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, edit_id) references suggested_edit (workspace_id, id) on delete cascade,
    check ((status = 'open') = (closed_at is null))
);
create index comment_by_topic on comment (workspace_id, topic_id, id);

alter table comment enable row level security;
alter table comment force row level security;
create policy tenant on comment
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
create policy visible_topic on comment as restrictive
    using ((select true from topic t where t.workspace_id = comment.workspace_id and t.id = comment.topic_id) is true);

grant select, insert, update on comment to driftless_app;

-- +goose StatementEnd
