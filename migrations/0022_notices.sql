-- +goose Up
-- +goose StatementBegin

-- What one person should know of, beside what was shared with them: a review that is asked for, what became of their own text, a
-- remark on it, a confirmation that waits.
alter table inbox_item drop constraint inbox_item_kind_check;
alter table inbox_item add constraint inbox_item_kind_check check (kind in ('shared', 'review', 'approved', 'changes_requested', 'rejected',
    'merged', 'outdated', 'comment', 'confirmation', 'expiring'));
-- Nobody sends what happens by itself.
alter table inbox_item alter column from_id drop not null;
-- The suggested edit or confirmation that it is about.
alter table inbox_item add column about text not null default '';
-- When it is over by itself.
alter table inbox_item add column expires_at timestamptz;
-- Said once until it is read. What was shared is said each time: each is somebody's message.
create unique index inbox_item_unread on inbox_item (workspace_id, person_id, kind, topic_id, about) where read_at is null and kind <> 'shared';

-- +goose StatementEnd
