-- +goose Up
-- +goose StatementBegin

-- What identifies a revision to the one who wrote it, so that they can take it back. The token itself is handed out once;
-- here is only its hash.
create table undo_token (
    workspace_id uuid not null references workspace (id) on delete cascade,
    revision_id  uuid not null,
    person_id    uuid not null references person (id),
    token_hash   bytea not null check (length(token_hash) = 32),
    expires_at   timestamptz not null,
    used_at      timestamptz,
    primary key (workspace_id, revision_id),
    foreign key (workspace_id, revision_id) references revision (workspace_id, id) on delete cascade
);

alter table undo_token enable row level security;
alter table undo_token force row level security;
create policy tenant on undo_token
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
-- A token is as visible as the revision, and that as its topic.
create policy visible_revision on undo_token as restrictive
    using ((select true from revision r where r.workspace_id = undo_token.workspace_id and r.id = undo_token.revision_id) is true);

grant select, insert, update on undo_token to driftless_app;

-- Where a duplicate went: mentions of its slug lead to the survivor, and a reader is told.
alter table topic add column merged_into uuid;
alter table topic add constraint topic_merged_into_fkey
    foreign key (workspace_id, merged_into) references topic (workspace_id, id) on delete set null (merged_into);
alter table topic add constraint topic_merged_is_put_away
    check (merged_into is null or (merged_into <> id and status in ('archived', 'trash')));
create index topic_by_merge on topic (workspace_id, merged_into) where merged_into is not null;

-- +goose StatementEnd
