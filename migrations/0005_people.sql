-- +goose Up
-- +goose StatementBegin

-- Who may join a workspace by a link. The secret of the link is kept as SHA-256 alone, and it works once.
create table invitation (
    workspace_id uuid not null references workspace (id) on delete cascade,
    id           uuid not null,
    hash         bytea not null unique,
    -- An owner is made by an owner, never by a link.
    role         text not null check (role in ('viewer', 'member', 'admin')),
    email        text not null default '' check (email = lower(email) and length(email) <= 254),
    invited_by   uuid not null references person (id),
    created_at   timestamptz not null,
    expires_at   timestamptz not null,
    accepted_at  timestamptz,
    accepted_by  uuid references person (id),
    revoked_at   timestamptz,
    primary key (workspace_id, id),
    check ((accepted_at is null) = (accepted_by is null)),
    check (accepted_at is null or revoked_at is null)
);
create index invitation_open on invitation (workspace_id, invited_by) where accepted_at is null and revoked_at is null;

alter table invitation enable row level security;
alter table invitation force row level security;
create policy tenant on invitation
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
-- Who holds the link sees what it is before a workspace is known, and only that one row: it is found by the hash of the
-- secret, which nobody else can name.
create policy by_link on invitation for select
    using (hash = (select decode(nullif(current_setting('app.invitation', true), ''), 'hex')));

grant select, insert, update on invitation to driftless_app;

-- A session that was ended stays until it would have expired, so that a request that was under way cannot bring it back.
alter table session
    add column used_at timestamptz not null default now(),
    add column ended_at timestamptz;
create index session_person on session (person_id);

-- What a device asks for (RFC 8628). Global like the rest of the authorization server: a device asks before anybody signed
-- in. Both codes are kept as SHA-256.
create table oauth_device (
    hash        bytea primary key,
    user_hash   bytea not null unique,
    client_id   text not null references oauth_client (id) on delete cascade,
    scopes      text[] not null check (cardinality(scopes) > 0),
    resource    text not null,
    interval_s  integer not null check (interval_s >= 5),
    created_at  timestamptz not null,
    expires_at  timestamptz not null,
    polled_at   timestamptz,
    answered_at timestamptz,
    grant_id    uuid references oauth_grant (id) on delete cascade,
    used_at     timestamptz,
    check (grant_id is null or answered_at is not null),
    check (used_at is null or grant_id is not null)
);
create index oauth_device_expiry on oauth_device (expires_at);
create index oauth_device_grant on oauth_device (grant_id);

-- A client that only devices use has nowhere to be redirected to.
alter table oauth_client
    drop constraint oauth_client_redirect_uris_check,
    add constraint oauth_client_redirect_uris_check check (cardinality(redirect_uris) <= 20);

grant select, insert, update, delete on oauth_device to driftless_app;

-- +goose StatementEnd
