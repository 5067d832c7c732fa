-- +goose Up
-- +goose StatementBegin

-- How often each solution of a topic was changed. Kept beside the text, so that counting changes neither its hash nor what a
-- person approved.
create table solution (
    workspace_id uuid not null,
    topic_id     uuid not null,
    id           text not null,
    revision     integer not null check (revision >= 1),
    primary key (workspace_id, topic_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);
insert into solution (workspace_id, topic_id, id, revision)
select distinct t.workspace_id, t.id, s ->> 'id', 1
from topic t, jsonb_array_elements(t.body -> 'solutions') s
where jsonb_typeof(t.body -> 'solutions') = 'array' and s ->> 'id' <> '';

-- What somebody saw when they took the steps: once for a person, a revision of the solution and an environment, whose parts are
-- kept in the form in which they are compared.
create table feedback (
    workspace_id uuid not null,
    topic_id     uuid not null,
    solution     text not null,
    revision     integer not null check (revision >= 1),
    person_id    uuid not null references person (id),
    os           text not null default '',
    runtime      text not null default '',
    pkg_manager  text not null default '',
    labels       text[] not null default '{}',
    outcome      text not null check (outcome in ('solved', 'failed', 'partial', 'not_applicable')),
    verify       text not null default '',
    exit_code    integer,
    reason       text not null default '',
    agent_model  text not null default '',
    via          text not null,
    client       text not null default '',
    at           timestamptz not null,
    primary key (workspace_id, topic_id, solution, revision, person_id, os, runtime, pkg_manager),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);

-- An owner's word that a solution holds again, in spite of what was reported before.
create table clearing (
    workspace_id uuid not null,
    topic_id     uuid not null,
    solution     text not null,
    revision     integer not null check (revision >= 1),
    person_id    uuid not null references person (id),
    reason       text not null check (reason <> ''),
    at           timestamptz not null,
    primary key (workspace_id, topic_id, solution, revision),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);

-- What was tried in vain where there was no answer.
create table attempt (
    workspace_id uuid not null,
    id           uuid not null,
    topic_id     uuid not null,
    person_id    uuid not null references person (id),
    os           text not null default '',
    runtime      text not null default '',
    pkg_manager  text not null default '',
    labels       text[] not null default '{}',
    summary      text not null check (summary <> ''),
    steps        text[] not null,
    reason       text not null,
    via          text not null,
    at           timestamptz not null,
    primary key (workspace_id, id),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade
);
create index attempt_by_topic on attempt (workspace_id, topic_id, id);

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['solution', 'feedback', 'clearing', 'attempt']
        loop
            execute format('alter table %I enable row level security', t);
            execute format('alter table %I force row level security', t);
            execute format($p$create policy tenant on %I
                using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
                with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))$p$, t);
            execute format($p$create policy visible_topic on %I as restrictive
                using ((select true from topic x where x.workspace_id = %I.workspace_id and x.id = %I.topic_id) is true)$p$, t, t, t);
        end loop;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin

grant select, insert, update on solution, clearing to driftless_app;
grant select, insert, update, delete on feedback to driftless_app;
grant select, insert on attempt to driftless_app;

-- +goose StatementEnd
