-- +goose Up
-- +goose StatementBegin

-- What names a person to their authenticators: random, so that whoever reads an authenticator learns neither id nor address.
create table passkey_handle (
    person_id uuid primary key references person (id) on delete cascade,
    handle    bytea not null unique check (length(handle) = 64)
);

-- Public keys by which people sign in. A record is what the library needs to check the next signature.
create table passkey (
    id            uuid primary key,
    person_id     uuid not null references person (id) on delete cascade,
    credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
    name          text not null check (length(name) between 1 and 120),
    record        jsonb not null,
    created_at    timestamptz not null,
    last_used_at  timestamptz,
    -- When its counter went back, which says that there are two of it. From then on it opens nothing.
    cloned_at     timestamptz
);
create index passkey_person on passkey (person_id);

-- Ceremonies under way: each is finished once, by the browser that began it, within minutes.
create table passkey_ceremony (
    challenge_hash bytea primary key,
    browser_hash   bytea not null,
    purpose        text not null check (purpose in ('register', 'sign_in', 'step_up')),
    person_id      uuid references person (id) on delete cascade,
    data           jsonb not null,
    expires_at     timestamptz not null,
    check ((purpose = 'sign_in') = (person_id is null))
);
create index passkey_ceremony_expiry on passkey_ceremony (expires_at);
create index passkey_ceremony_person on passkey_ceremony (person_id);

-- How much of an allowance of wrong guesses is used up; it comes back with time. The key is a hash of what is guessed at, whether
-- there is such an account or not.
create table guess (
    key  bytea primary key,
    used double precision not null check (used >= 0),
    at   timestamptz not null
);
create index guess_at on guess (at);

-- Browsers that somebody has signed in with. One browser may know several people.
create table known_browser (
    hash      bytea not null,
    person_id uuid not null references person (id) on delete cascade,
    used_at   timestamptz not null,
    primary key (hash, person_id)
);
create index known_browser_person on known_browser (person_id, used_at);
create index known_browser_used on known_browser (used_at);

grant select, insert, update, delete on passkey_handle, passkey, passkey_ceremony, guess, known_browser to driftless_app;

-- +goose StatementEnd
