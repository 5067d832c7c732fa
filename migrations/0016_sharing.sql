-- +goose Up
-- +goose StatementBegin

-- A piece of Knowledge on the web. The token is the whole right to read it and stands here in the clear: whoever reads this
-- table reads the topic itself, and a person must find the address again.
create table share (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id           uuid not null,
    topic_id     uuid not null,
    token        text not null unique check (length(token) >= 40),
    created_by   uuid not null references person (id),
    created_at   timestamptz not null,
    expires_at   timestamptz check (expires_at > created_at),
    revoked_at   timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);
create unique index share_one_open on share (workspace_id, topic_id) where revoked_at is null;

-- Who may read a private draft beside its author.
create table topic_reader (
    workspace_id uuid not null,
    topic_id     uuid not null,
    person_id    uuid not null,
    shared_by    uuid not null references person (id),
    shared_at    timestamptz not null,
    primary key (workspace_id, topic_id, person_id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, person_id) references membership (workspace_id, person_id) on delete cascade
);
create index topic_reader_by_person on topic_reader (workspace_id, person_id);

-- What waits for one person.
create table inbox_item (
    workspace_id uuid not null,
    id           uuid not null,
    person_id    uuid not null,
    kind         text not null check (kind in ('shared')),
    topic_id     uuid not null,
    from_id      uuid not null references person (id),
    at           timestamptz not null,
    read_at      timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, person_id) references membership (workspace_id, person_id) on delete cascade
);
create index inbox_item_by_person on inbox_item (workspace_id, person_id, id desc);
create index inbox_item_by_topic on inbox_item (workspace_id, topic_id);

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['share', 'topic_reader', 'inbox_item']
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

-- Who holds the address of a page sees the row of that page before a workspace is known, and no other.
create policy by_link on share for select
    using (token = (select nullif(current_setting('app.share', true), '')));

-- Only the two who are concerned know of it.
create policy concerned on topic_reader as restrictive
    using (person_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or shared_by = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on');
create policy own_inbox on inbox_item as restrictive
    using (person_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on')
    with check (true);

-- A private draft exists for its author and for those it was shared with, who may read it and nothing more.
drop policy private_draft on topic;
create policy private_draft on topic as restrictive
    using (not is_private
           or author_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select true from topic_reader r where r.workspace_id = topic.workspace_id and r.topic_id = topic.id
                   and r.person_id = (select nullif(current_setting('app.person_id', true), '')::uuid)) is true
           or (select current_setting('app.see_private', true)) = 'on')
    with check (not is_private
           or author_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on');

grant select, insert, update on share, inbox_item to driftless_app;
grant select, insert, delete on topic_reader to driftless_app;

-- +goose StatementEnd
