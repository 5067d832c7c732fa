-- +goose Up
-- +goose StatementBegin

-- A workspace ends as a whole, its log with it, when an owner deletes it. The application may not delete the row by itself: it
-- calls a function that deletes the workspace it is in, for a person who owns that workspace, and no other.
alter table event drop constraint event_workspace_id_fkey;
alter table event add constraint event_workspace_id_fkey
    foreign key (workspace_id) references workspace (id) on delete cascade;

revoke delete on workspace from driftless_app;

create function delete_workspace() returns boolean
    language plpgsql security definer set search_path = pg_catalog, public as
$$
declare
    here uuid := nullif(current_setting('app.workspace_id', true), '')::uuid;
begin
    if not exists (select 1 from membership m where m.workspace_id = here and m.role = 'owner'
            and m.person_id = nullif(current_setting('app.person_id', true), '')::uuid) then
        raise exception 'only an owner deletes a workspace' using errcode = '42501';
    end if;
    delete from workspace where id = here;
    return found;
end
$$;
revoke execute on function delete_workspace() from public;
grant execute on function delete_workspace() to driftless_app;

-- How many topics each of the doctor's categories had when a day (UTC) began; private drafts are left out.
create table doctor_day (
    workspace_id uuid not null references workspace (id) on delete cascade,
    day          date not null,
    category     text not null check (length(category) between 1 and 64),
    topics       integer not null check (topics >= 0),
    primary key (workspace_id, day, category)
);

alter table doctor_day enable row level security;
alter table doctor_day force row level security;
create policy tenant on doctor_day
    using (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid))
    with check (workspace_id = (select nullif(current_setting('app.workspace_id', true), '')::uuid));

grant select, insert, update, delete on doctor_day to driftless_app;

-- +goose StatementEnd
