-- +goose Up
-- +goose StatementBegin

-- People and workspaces. These tables are global: a person may be in several workspaces, and signing in happens before a
-- workspace is known. They hold no topic text.
create table person (
    id            uuid primary key,
    email         text not null unique check (email = lower(email) and length(email) <= 254),
    name          text not null check (length(name) between 1 and 120),
    kind          text not null check (kind in ('person', 'service')),
    password_hash text,
    created_at    timestamptz not null,
    disabled_at   timestamptz
);

create table workspace (
    id         uuid primary key,
    slug       text not null unique check (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name       text not null check (length(name) between 1 and 120),
    created_at timestamptz not null
);

create table session (
    token_hash text primary key,
    person_id  uuid references person (id) on delete cascade,
    data       bytea not null,
    expires_at timestamptz not null
);
create index session_expiry on session (expires_at);

create table api_key (
    id           uuid primary key,
    person_id    uuid not null references person (id) on delete cascade,
    name         text not null check (length(name) between 1 and 120),
    hash         bytea not null unique,
    prefix       text not null,
    scopes       text[] not null,
    workspaces   uuid[] not null,
    created_by   uuid not null references person (id),
    created_at   timestamptz not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz
);
create index api_key_person on api_key (person_id);

create table setup_link (
    hash       bytea primary key,
    created_at timestamptz not null,
    used_at    timestamptz
);

-- From here on every table belongs to a workspace: keyed by it first, behind forced row-level security, and referenced
-- by composite keys, because a foreign key does not ask the policies.
create table membership (
    workspace_id uuid not null references workspace (id) on delete cascade,
    person_id    uuid not null references person (id) on delete cascade,
    role         text not null check (role in ('viewer', 'member', 'admin', 'owner')),
    joined_at    timestamptz not null,
    primary key (workspace_id, person_id)
);
create index membership_person on membership (person_id);

create table workspace_setting (
    workspace_id   uuid primary key references workspace (id) on delete cascade,
    agent_approval text not null default 'confirm' check (agent_approval in ('confirm', 'direct', 'off')),
    four_eyes      boolean not null default false
);

-- The one row that every write of a workspace locks. It gives writes their order: sequence numbers commit in the order in
-- which they were taken, so a cursor over them loses nothing.
create table workspace_head (
    workspace_id uuid primary key references workspace (id) on delete cascade,
    seq          bigint not null default 0,
    hash         bytea not null default ''::bytea
);

alter table membership enable row level security;
alter table membership force row level security;
-- A person sees their own memberships before a workspace is chosen; that is how one is chosen.
create policy tenant on membership
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid)
           or person_id = (select nullif(current_setting('app.person_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

alter table workspace_setting enable row level security;
alter table workspace_setting force row level security;
create policy tenant on workspace_setting
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

alter table workspace_head enable row level security;
alter table workspace_head force row level security;
create policy tenant on workspace_head
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

-- The door into a workspace: sets who is there for the rest of the transaction and answers the role in force, in one round
-- trip. It runs with the rights of the caller.
create function enter_workspace(ws uuid, who uuid, see_private boolean, read_only boolean) returns text
    language plpgsql as
$$
declare
    found_role text;
begin
    perform set_config('app.workspace_id', ws::text, true),
            set_config('app.person_id', coalesce(who::text, ''), true),
            set_config('app.see_private', case when see_private then 'on' else '' end, true);
    if read_only then
        perform set_config('transaction_read_only', 'on', true);
    end if;
    select m.role into found_role from membership m where m.workspace_id = ws and m.person_id = who;
    return coalesce(found_role, '');
end
$$;

grant select, insert, update, delete on person, workspace, session, api_key, setup_link, membership to driftless_app;
grant select, insert, update on workspace_setting, workspace_head to driftless_app;

-- +goose StatementEnd
