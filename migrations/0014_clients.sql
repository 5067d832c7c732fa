-- +goose Up
-- +goose StatementBegin

-- A workspace may register clients of its own. Such a client reaches that workspace alone and goes with it.
alter table oauth_client
    drop constraint oauth_client_kind_check,
    add constraint oauth_client_kind_check check (kind in ('registered', 'document', 'preregistered')),
    add column workspace_id uuid references workspace (id) on delete cascade,
    add column created_by uuid references person (id),
    add constraint oauth_client_workspace_check
        check ((kind = 'preregistered') = (workspace_id is not null) and (kind = 'preregistered') = (created_by is not null));
create index oauth_client_workspace on oauth_client (workspace_id) where workspace_id is not null;

-- The copy of a document is asked for again by its tag, and stands in for the document until stale_until.
alter table oauth_client
    add column etag text not null default '' check (length(etag) <= 256),
    add column stale_until timestamptz;
update oauth_client set stale_until = fresh_until + interval '7 days' where kind = 'document';
alter table oauth_client
    add constraint oauth_client_stale_check check ((kind = 'document') = (stale_until is not null));

-- +goose StatementEnd
