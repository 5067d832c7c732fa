-- +goose Up
-- +goose StatementBegin

-- The authorization server. These tables are global: a client asks before a workspace is known, and one grant may reach
-- several. They hold no topic text, and no secret in the clear: codes, tokens and client secrets are kept as SHA-256.

-- A client registered itself (RFC 7591), or is described by the document that its id is the address of.
create table oauth_client (
    id               text primary key check (length(id) between 1 and 2048),
    kind             text not null check (kind in ('registered', 'document')),
    name             text not null check (length(name) between 1 and 120),
    uri              text not null default '' check (length(uri) <= 2048),
    redirect_uris    text[] not null check (cardinality(redirect_uris) between 1 and 20),
    grant_types      text[] not null,
    auth_method      text not null check (auth_method in ('none', 'client_secret_basic', 'client_secret_post')),
    secret_hash      bytea,
    scopes           text[] not null,
    application_type text not null check (application_type in ('native', 'web')),
    created_at       timestamptz not null,
    fresh_until      timestamptz,
    check ((auth_method = 'none') = (secret_hash is null)),
    check ((kind = 'document') = (fresh_until is not null))
);

-- What a person is being asked on the consent page. It is answered once.
create table oauth_request (
    id           uuid primary key,
    client_id    text not null references oauth_client (id) on delete cascade,
    person_id    uuid not null references person (id) on delete cascade,
    redirect_uri text not null,
    state        text,
    scopes       text[] not null check (cardinality(scopes) > 0),
    resource     text not null,
    challenge    text not null,
    expires_at   timestamptz not null,
    answered_at  timestamptz
);
create index oauth_request_expiry on oauth_request (expires_at);
create index oauth_request_person on oauth_request (person_id);

-- What a person allowed a client. Everything issued under it, its family, dies with revoked_at.
create table oauth_grant (
    id         uuid primary key,
    client_id  text not null references oauth_client (id) on delete cascade,
    person_id  uuid not null references person (id) on delete cascade,
    scopes     text[] not null check (cardinality(scopes) > 0),
    workspaces uuid[] not null check (cardinality(workspaces) > 0),
    resource   text not null,
    created_at timestamptz not null,
    used_at    timestamptz not null,
    revoked_at timestamptz
);
create index oauth_grant_person on oauth_grant (person_id, client_id);
create index oauth_grant_client on oauth_grant (client_id);

-- A used code stays as long as its grant, so that its replay is noticed.
create table oauth_code (
    hash         bytea primary key,
    grant_id     uuid not null references oauth_grant (id) on delete cascade,
    redirect_uri text not null,
    challenge    text not null,
    expires_at   timestamptz not null,
    used_at      timestamptz
);
create index oauth_code_grant on oauth_code (grant_id);

-- A rotated refresh token stays until it would have expired, so that its reuse is noticed.
create table oauth_token (
    hash        bytea primary key,
    kind        text not null check (kind in ('access', 'refresh')),
    grant_id    uuid not null references oauth_grant (id) on delete cascade,
    scopes      text[] not null check (cardinality(scopes) > 0),
    parent      bytea,
    created_at  timestamptz not null,
    expires_at  timestamptz not null,
    rotated_at  timestamptz,
    replaced_by bytea,
    revoked_at  timestamptz,
    check ((rotated_at is null) = (replaced_by is null))
);
create index oauth_token_grant on oauth_token (grant_id);
create index oauth_token_expiry on oauth_token (expires_at);

grant select, insert, update, delete on oauth_client, oauth_request, oauth_grant, oauth_code, oauth_token to driftless_app;

-- +goose StatementEnd
