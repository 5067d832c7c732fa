-- +goose Up
-- +goose StatementBegin

-- Who asked for a link to set a new password. A request for an address that nobody has makes the same row, with a person who is
-- not there: what is done must not tell whether there is an account. Hence no reference. The link is made when the mail is
-- sent and kept as SHA-256 alone, so it lies nowhere in clear while the mail waits.
create table password_reset (
    id           uuid primary key,
    person_id    uuid not null,
    requested_at timestamptz not null,
    hash         bytea unique check (length(hash) = 32),
    sent_at      timestamptz,
    used_at      timestamptz,
    check (hash is null or sent_at is not null)
);
create index password_reset_person on password_reset (person_id, sent_at);
create index password_reset_age on password_reset (requested_at);

grant select, insert, update, delete on password_reset to driftless_app;

-- An invitation that is mailed has a second link, made when it is sent, beside the one that was answered.
alter table invitation add column mail_hash bytea unique check (length(mail_hash) = 32);
drop policy by_link on invitation;
create policy by_link on invitation for select
    using ((select decode(nullif(current_setting('app.invitation', true), ''), 'hex')) in (hash, mail_hash));

-- +goose StatementEnd
