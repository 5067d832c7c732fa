-- +goose Up
-- +goose StatementBegin

-- Writes that were sent with a key of the client's choice, so that the same call sent again answers and does nothing. The
-- key is kept as a hash, and the answer is sealed with the key: it may hold a token that is handed out once.
create table idempotency (
    workspace_id uuid not null references workspace (id) on delete cascade,
    person_id    uuid not null references person (id),
    operation    text not null,
    key_hash     bytea not null check (length(key_hash) = 32),
    input_hash   bytea not null check (length(input_hash) = 32),
    answer       bytea not null default '',
    created_at   timestamptz not null,
    primary key (workspace_id, person_id, operation, key_hash)
);

alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy tenant on idempotency
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));
create policy own_key on idempotency as restrictive
    using (person_id = (select nullif(current_setting('app.person_id', true), '')::uuid));

grant select, insert, update, delete on idempotency to driftless_app;

-- +goose StatementEnd
