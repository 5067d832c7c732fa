-- +goose Up
-- +goose StatementBegin

-- How the code was read: two fingerprints of different methods say nothing about one another.
alter table fingerprint add column method text not null default '' check (method in ('', 'go', 'ctags', 'lexer', 'lines'));

-- +goose StatementEnd
