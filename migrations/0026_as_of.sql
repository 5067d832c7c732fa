-- +goose Up
-- +goose StatementBegin

-- The place of a revision in the workspace's sequence, which is that of the event it was written with: what a workspace held at a
-- place are the last revisions before it. The policies are lifted while the rows that are there get theirs.
alter table revision add column seq bigint not null default 0;
alter table revision no force row level security;
alter table event no force row level security;
update revision r set seq = coalesce(
    (select min(e.seq) from event e where e.workspace_id = r.workspace_id and e.topic_id = r.topic_id and e.at = r.at),
    (select max(e.seq) from event e where e.workspace_id = r.workspace_id and e.at <= r.at), 0);

-- When somebody last said that the topic still holds.
alter table topic add column verified_at timestamptz;
alter table topic no force row level security;
update topic t set verified_at = v.at
    from (select workspace_id, topic_id, max(at) as at from event where type = 'topic.verified' group by workspace_id, topic_id) v
    where v.workspace_id = t.workspace_id and v.topic_id = t.id;
alter table topic force row level security;

create index revision_by_seq on revision (workspace_id, seq);

-- Which commits of tracked branches the workspace has heard of, and where in its sequence it first did.
create table source_commit (
    workspace_id uuid not null,
    commit       text not null check (commit ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'),
    source_id    uuid not null,
    branch       text not null,
    seq          bigint not null,
    at           timestamptz not null,
    primary key (workspace_id, commit, source_id),
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);
create index source_commit_by_seq on source_commit (workspace_id, seq);
alter table source no force row level security;
insert into source_commit (workspace_id, commit, source_id, branch, seq, at)
    select distinct on (e.workspace_id, e.detail ->> 'head', s.id) e.workspace_id, e.detail ->> 'head', s.id, e.detail ->> 'branch', e.seq, e.at
    from event e join source s on s.workspace_id = e.workspace_id and s.id = (e.detail ->> 'source')::uuid
    where e.type in ('source.synced', 'source.pushed') and e.detail ->> 'head' ~ '^[0-9a-f]{40}([0-9a-f]{24})?$'
    order by e.workspace_id, e.detail ->> 'head', s.id, e.seq;
alter table source force row level security;
alter table event force row level security;
alter table revision force row level security;

alter table source_commit enable row level security;
alter table source_commit force row level security;
create policy tenant on source_commit
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

grant select, insert on source_commit to driftless_app;

-- +goose StatementEnd
