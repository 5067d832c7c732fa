-- +goose Up
-- +goose StatementBegin

-- Who somebody is at another server that people sign in at. The issuer and its subject name them for good; the address is
-- shown to them and decides nothing.
create table person_identity (
    id           uuid primary key,
    person_id    uuid not null references person (id) on delete cascade,
    provider     text not null,
    issuer       text not null,
    subject      text not null check (length(subject) between 1 and 255),
    email        text not null default '' check (length(email) <= 254),
    linked_at    timestamptz not null,
    last_used_at timestamptz,
    unique (issuer, subject)
);
create index person_identity_person on person_identity (person_id);

-- Sign-ons under way. State and browser are kept as SHA-256, and what belongs to the attempt is sealed with both, so that a
-- row is worth nothing to whoever reads it.
create table signon_attempt (
    state_hash   bytea primary key,
    browser_hash bytea not null,
    provider     text not null,
    -- Who links an identity to themselves; without, somebody signs in.
    person_id    uuid references person (id) on delete cascade,
    sealed       bytea not null,
    expires_at   timestamptz not null
);
create index signon_attempt_expiry on signon_attempt (expires_at);
create index signon_attempt_person on signon_attempt (person_id);

grant select, insert, update, delete on person_identity, signon_attempt to driftless_app;

-- +goose StatementEnd
