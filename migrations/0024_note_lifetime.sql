-- +goose Up
-- +goose StatementBegin

-- After so many days without a change a draft is archived; null is never.
alter table workspace_setting add column note_lifetime_days integer check (note_lifetime_days between 7 and 3650);
-- When its author was told of that; a change of the topic takes it back.
alter table topic add column expiry_warned_at timestamptz;
create index topic_untouched on topic (workspace_id, updated_at) where status = 'draft';

-- +goose StatementEnd
