-- +goose Up
-- +goose StatementBegin

-- What has expired is removed by the server itself, which works in a workspace as nobody.
grant delete on invitation, undo_token to driftless_app;

drop policy own_key on idempotency;
create policy own_key on idempotency as restrictive
    using (person_id = (select nullif(current_setting('app.person_id', true), '')::uuid)
           or (select current_setting('app.see_private', true)) = 'on');

-- +goose StatementEnd
