-- +goose Up
-- +goose StatementBegin

-- What a topic relies on in a tracked branch: each file or symbol under its anchors, and each path that its text cites, as it was
-- when somebody last vouched for it or it was first seen, and as it is now. An empty blob means that it is not there.
create table drift_target (
    workspace_id uuid not null,
    topic_id     uuid not null,
    source_id    uuid not null,
    branch       text not null,
    role         text not null check (role in ('anchor', 'cited')),
    path         text not null,
    symbol       text not null default '',
    anchor       text not null,
    blob         text not null,
    size         bigint not null,
    now_path     text not null,
    now_blob     text not null,
    now_size     bigint not null,
    at           timestamptz not null,
    primary key (workspace_id, topic_id, source_id, branch, role, path, symbol),
    foreign key (workspace_id, topic_id) references topic (workspace_id, id) on delete cascade,
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);
create index drift_target_by_path on drift_target (workspace_id, source_id, branch, now_path);
create index drift_target_changed on drift_target (workspace_id, source_id, branch) where blob <> now_blob or path <> now_path;

-- The fingerprints of contents, each computed once by whoever has the text. The symbol is empty for the whole file.
create table fingerprint (
    workspace_id uuid not null,
    source_id    uuid not null,
    blob         text not null,
    symbol       text not null default '',
    absent       boolean not null,
    hash         text not null,
    signature    text not null,
    units        bytea not null,
    at           timestamptz not null,
    primary key (workspace_id, source_id, blob, symbol),
    foreign key (workspace_id, source_id) references source (workspace_id, id) on delete cascade
);

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['drift_target', 'fingerprint']
        loop
            execute format('alter table %I enable row level security', t);
            execute format('alter table %I force row level security', t);
            execute format($p$create policy tenant on %I
                using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
                with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))$p$, t);
        end loop;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin

grant select, insert, update, delete on drift_target, fingerprint to driftless_app;

-- +goose StatementEnd
