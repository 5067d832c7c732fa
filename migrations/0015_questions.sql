-- +goose Up
-- +goose StatementBegin

-- What the server asks of the client of a running call. Both tables are global: a session is opened before a workspace is
-- known, and one credential may reach several. They hold no topic text and not the question, only who may answer it.

-- The key of session ids. All processes of a server find the same one, so an id holds across them and across restarts.
create table server_secret (
    purpose text primary key check (purpose = 'mcp_session'),
    secret  bytea not null check (length(secret) = 32)
);
-- Two random UUIDs carry 244 random bits.
insert into server_secret values ('mcp_session', sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

-- A question waits in the process that asked, and its answer may arrive at another one.
create table client_question (
    id         text primary key check (length(id) between 20 and 100),
    person_id  uuid not null,
    session    bytea not null check (length(session) = 16),
    credential uuid not null,
    answer     bytea,
    expires_at timestamptz not null
);
create index client_question_credential on client_question (credential);
create index client_question_expiry on client_question (expires_at);

grant select on server_secret to driftless_app;
grant select, insert, update, delete on client_question to driftless_app;

-- +goose StatementEnd
