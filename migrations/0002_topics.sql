-- +goose Up
-- +goose StatementBegin

create table area (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id           uuid not null,
    name         text not null check (length(name) between 1 and 64),
    name_key     text not null,
    description  text not null default '' check (length(description) <= 500),
    reviewers    uuid[] not null default '{}',
    created_at   timestamptz not null,
    primary key (workspace_id, id),
    unique (workspace_id, name_key)
);

create table tag (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id           uuid not null,
    name         text not null check (length(name) between 1 and 64),
    description  text not null default '' check (length(description) <= 500),
    registered   boolean not null default false,
    created_at   timestamptz not null,
    primary key (workspace_id, id),
    unique (workspace_id, name)
);

-- Status is text with a check, not an enum type: equality on an enum is not leakproof and would lose its index behind a
-- policy. A topic is Knowledge only together with the person, the revision and the very text that was approved.
create table topic (
    workspace_id      uuid not null references workspace (id) on delete cascade,
    id                uuid not null,
    slug              text not null check (slug ~ '^[a-z0-9][a-z0-9-]{0,79}$'),
    title             text not null check (length(title) between 1 and 120),
    what              text not null default '' check (length(what) <= 300),
    body              jsonb not null,
    status            text not null check (status in ('draft', 'proposed', 'reviewed', 'archived', 'trash')),
    returns_to        text check (returns_to in ('draft', 'proposed', 'archived')),
    is_private        boolean not null default false,
    area_id           uuid,
    revision          integer not null check (revision >= 1),
    content_hash      text not null,
    seq               bigint not null,
    author_id         uuid not null references person (id),
    editor_id         uuid not null references person (id),
    created_at        timestamptz not null,
    updated_at        timestamptz not null,
    proposed_at       timestamptz,
    proposal_message  text not null default '',
    review_state      text not null default 'none' check (review_state in ('none', 'waiting', 'changes_requested', 'rejected')),
    review_reason     text not null default '',
    review_by         uuid references person (id),
    review_at         timestamptz,
    approved_by       uuid references person (id),
    approved_at       timestamptz,
    approved_via      text,
    approved_revision integer,
    approved_hash     text,
    trashed_at        timestamptz,
    drift_state       text not null default 'fresh' check (drift_state in ('fresh', 'touched', 'review', 'broken')),
    primary key (workspace_id, id),
    unique (workspace_id, slug),
    foreign key (workspace_id, area_id) references area (workspace_id, id) on delete set null (area_id),
    constraint topic_private_only_as_draft check (not is_private or status in ('draft', 'archived', 'trash')),
    constraint topic_reviewed_is_approved check (
        status <> 'reviewed' or (approved_by is not null and approved_at is not null and approved_via is not null
                                 and approved_revision <= revision and approved_hash = content_hash)),
    constraint topic_away_knows_the_way_back check ((status in ('archived', 'trash')) = (returns_to is not null)),
    constraint topic_trash_is_dated check ((status = 'trash') = (trashed_at is not null))
);
create index topic_by_seq on topic (workspace_id, seq);
create index topic_by_status on topic (workspace_id, status, id desc);
create index topic_by_area on topic (workspace_id, area_id);

-- The legal changes of status. The same rows stand in the governance table of the code; a test compares the two.
create table topic_transition (
    from_status text not null,
    to_status   text not null,
    primary key (from_status, to_status)
);
insert into topic_transition (from_status, to_status) values
    ('draft', 'proposed'),
    ('draft', 'archived'),
    ('draft', 'trash'),
    ('proposed', 'draft'),
    ('proposed', 'reviewed'),
    ('proposed', 'archived'),
    ('proposed', 'trash'),
    ('reviewed', 'archived'),
    ('reviewed', 'trash'),
    ('archived', 'draft'),
    ('archived', 'proposed'),
    ('archived', 'trash'),
    ('trash', 'draft'),
    ('trash', 'proposed'),
    ('trash', 'archived');

create function topic_guard() returns trigger
    language plpgsql as
$$
begin
    if tg_op = 'INSERT' then
        if new.status not in ('draft', 'proposed') then
            raise exception 'a topic cannot begin as %', new.status
                using errcode = '23514', constraint = 'topic_initial_status';
        end if;
        if new.revision <> 1 then
            raise exception 'a topic begins at revision 1' using errcode = '23514', constraint = 'topic_initial_revision';
        end if;
        return new;
    end if;
    if (new.workspace_id, new.id, new.slug, new.author_id, new.created_at)
        is distinct from (old.workspace_id, old.id, old.slug, old.author_id, old.created_at) then
        raise exception 'workspace, id, slug, author and creation of a topic never change'
            using errcode = '23514', constraint = 'topic_immutable';
    end if;
    if new.revision not in (old.revision, old.revision + 1) then
        raise exception 'revisions have no gaps' using errcode = '23514', constraint = 'topic_revision_step';
    end if;
    if new.revision = old.revision and (new.title, new.what, new.body, new.status, new.content_hash)
        is distinct from (old.title, old.what, old.body, old.status, old.content_hash) then
        raise exception 'a change of text or status is a revision' using errcode = '23514', constraint = 'topic_change_is_revision';
    end if;
    if new.status <> old.status and not exists (
        select 1 from topic_transition t where t.from_status = old.status and t.to_status = new.status) then
        raise exception 'a topic cannot go from % to %', old.status, new.status
            using errcode = '23514', constraint = 'topic_transition';
    end if;
    return new;
end
$$;
create trigger topic_guard before insert or update on topic for each row execute function topic_guard();

create table revision (
    workspace_id uuid not null,
    topic_id     uuid not null,
    revision     integer not null check (revision >= 1),
    id           uuid not null,
    status       text not null,
    snapshot     jsonb not null,
    changes      jsonb not null,
    content_hash text not null,
    summary      text not null default '',
    author_id    uuid not null references person (id),
    via          text not null,
    client       text not null default '',
    op           text not null,
    at           timestamptz not null,
    is_private   boolean not null,
    primary key (workspace_id, topic_id, revision),
    unique (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);

create table topic_tag (
    workspace_id uuid not null,
    topic_id     uuid not null,
    tag_id       uuid not null,
    primary key (workspace_id, topic_id, tag_id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, tag_id) references tag (workspace_id, id) on delete cascade
);
create index topic_tag_by_tag on topic_tag (workspace_id, tag_id);

create table relation (
    workspace_id uuid not null,
    from_id      uuid not null,
    type         text not null check (type in ('relates_to', 'depends_on', 'supersedes', 'blocks', 'implements', 'documents', 'risk_for')),
    to_id        uuid not null,
    created_by   uuid not null references person (id),
    created_at   timestamptz not null,
    primary key (workspace_id, from_id, type, to_id),
    foreign key (workspace_id, from_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, to_id) references topic (workspace_id, id) on delete cascade,
    check (from_id <> to_id)
);
create index relation_by_target on relation (workspace_id, to_id);

-- A mention keeps the slug as written, also when nothing answers to it: dead links are reported, not lost.
create table mention (
    workspace_id uuid not null,
    from_id      uuid not null,
    to_slug      text not null,
    primary key (workspace_id, from_id, to_slug),
    foreign key (workspace_id, from_id) references topic (workspace_id, id) on delete cascade
);
create index mention_by_target on mention (workspace_id, to_slug);

create table suggested_edit (
    workspace_id  uuid not null,
    id            uuid not null,
    topic_id      uuid not null,
    base_revision integer not null,
    author_id     uuid not null references person (id),
    via           text not null,
    client        text not null default '',
    summary       text not null default '',
    snapshot      jsonb not null,
    changes       jsonb not null,
    content_hash  text not null,
    status        text not null check (status in ('open', 'merged', 'rejected', 'withdrawn', 'outdated')),
    reason        text not null default '',
    decided_by    uuid references person (id),
    decided_at    timestamptz,
    created_at    timestamptz not null,
    updated_at    timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    check ((status = 'open') = (decided_at is null))
);
create unique index suggested_edit_one_open on suggested_edit (workspace_id, topic_id, author_id) where status = 'open';
create index suggested_edit_queue on suggested_edit (workspace_id, status, created_at);

-- A pending human act: what a person was asked to confirm, bound to the text they will be shown.
create table confirmation (
    workspace_id uuid not null,
    id           text not null unique,
    kind         text not null check (kind in ('approve', 'merge')),
    topic_id     uuid not null,
    edit_id      uuid,
    revision     integer not null,
    content_hash text not null,
    person_id    uuid not null references person (id),
    via          text not null,
    client       text not null default '',
    resolution   jsonb not null default '{}',
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    status       text not null default 'pending' check (status in ('pending', 'approved', 'declined')),
    decided_at   timestamptz,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, edit_id) references suggested_edit (workspace_id, id) on delete cascade
);

-- What happened. Nobody but the owner of the database can change a row, and the hash of each covers the one before it.
create table event (
    workspace_id uuid not null references workspace (id),
    seq          bigint not null,
    id           uuid not null,
    xid          xid8 not null default pg_current_xact_id(),
    type         text not null,
    topic_id     uuid,
    detail       jsonb not null,
    person_id    uuid references person (id),
    via          text not null,
    client       text not null default '',
    op           text not null default '',
    request_id   text not null default '',
    at           timestamptz not null,
    prev_hash    bytea not null,
    hash         bytea not null,
    primary key (workspace_id, seq),
    unique (workspace_id, id),
    -- Deferred: the event of a creation is numbered before the topic that carries its number is stored.
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) deferrable initially deferred
);
create index event_by_topic on event (workspace_id, topic_id, seq);

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['area', 'tag', 'topic', 'revision', 'topic_tag', 'relation', 'mention', 'suggested_edit',
        'confirmation', 'event']
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

-- Another member's private draft does not exist for a query, however careless; what hangs on a topic is as visible as it.
create policy private_draft on topic as restrictive
    using (not is_private
           or author_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on')
    with check (not is_private
           or author_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on');
-- A scalar subquery is a look-up for each row; for exists the planner would hash every topic of the workspace.
create policy visible_topic on revision as restrictive
    using ((select true from topic t where t.workspace_id = revision.workspace_id and t.id = revision.topic_id) is true);
-- What was written while a draft was private stays with its author when the draft is proposed.
create policy private_revision on revision as restrictive
    using (not is_private
           or author_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on')
    with check (true);
create policy visible_topic on topic_tag as restrictive
    using ((select true from topic t where t.workspace_id = topic_tag.workspace_id and t.id = topic_tag.topic_id) is true);
create policy visible_topic on relation as restrictive
    using ((select true from topic t where t.workspace_id = relation.workspace_id and t.id = relation.from_id) is true
           and (select true from topic t where t.workspace_id = relation.workspace_id and t.id = relation.to_id) is true);
create policy visible_topic on mention as restrictive
    using ((select true from topic t where t.workspace_id = mention.workspace_id and t.id = mention.from_id) is true);
create policy visible_topic on suggested_edit as restrictive
    using ((select true from topic t where t.workspace_id = suggested_edit.workspace_id and t.id = suggested_edit.topic_id) is true);
create policy visible_topic on event as restrictive for select
    using (topic_id is null or (select true from topic t where t.workspace_id = event.workspace_id and t.id = event.topic_id) is true);

-- A person finds their own pending act by its id, before a workspace is known.
create policy own_confirmation on confirmation for select
    using (person_id = (select nullif(current_setting('app.person_id', true), '')::uuid));

grant select, insert, update, delete on area, tag, topic, topic_tag, relation, mention, suggested_edit, confirmation to driftless_app;
grant select, insert on revision, event to driftless_app;
grant select on topic_transition to driftless_app;

-- +goose StatementEnd
