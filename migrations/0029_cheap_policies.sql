-- +goose Up
-- +goose StatementBegin

-- What a policy costs is paid by every statement on its table, and by every table that asks about a topic again. Written as
-- sub-selects, the policies made a plan of 200 nodes for reading one topic, which took ten times as long to set up as to run.
-- The same rules cost little in another form:
--
-- * A setting that is compared with a column stands there as an expression. It is stable, so an index is looked up with it once,
--   and beside the condition that every query has anyway it is checked once for the statement.
-- * Whether a topic is visible is asked by a function, whose plan is made once for a connection, and only for rows that are found.
--   It runs with the rights of the caller, so it sees what the policies of topic let them see.

create function topic_visible(ws uuid, asked uuid) returns boolean
    language plpgsql stable parallel safe as
$$
begin
    return exists (select from topic t where t.workspace_id = ws and t.id = asked);
end
$$;

create function topic_shared(ws uuid, asked uuid) returns boolean
    language plpgsql stable parallel safe as
$$
begin
    return exists (select from topic_reader r where r.workspace_id = ws and r.topic_id = asked
        and r.person_id = nullif(current_setting('app.person_id', true), '')::uuid);
end
$$;

alter policy private_draft on topic
    using (not is_private
        or author_id = nullif(current_setting('app.person_id', true), '')::uuid
        or current_setting('app.see_private', true) = 'on'
        or topic_shared(workspace_id, id))
    with check (not is_private
        or author_id = nullif(current_setting('app.person_id', true), '')::uuid
        or current_setting('app.see_private', true) = 'on');
alter policy concerned on topic_reader
    using (person_id = nullif(current_setting('app.person_id', true), '')::uuid
        or shared_by = nullif(current_setting('app.person_id', true), '')::uuid
        or current_setting('app.see_private', true) = 'on');
alter policy private_revision on revision
    using (not is_private
        or author_id = nullif(current_setting('app.person_id', true), '')::uuid
        or current_setting('app.see_private', true) = 'on');
alter policy tenant on membership
    using (workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid
        or person_id = nullif(current_setting('app.person_id', true), '')::uuid)
    with check (workspace_id = nullif(current_setting('app.workspace_id', true), '')::uuid);

-- Our own work sees every topic of the workspace that it entered, so for it there is nothing to ask.
alter policy visible_topic on event
    using (topic_id is null or current_setting('app.see_private', true) = 'on' or topic_visible(workspace_id, topic_id));
alter policy visible_topic on mention
    using (current_setting('app.see_private', true) = 'on' or topic_visible(workspace_id, from_id));
alter policy visible_topic on relation
    using (current_setting('app.see_private', true) = 'on'
        or topic_visible(workspace_id, from_id) and topic_visible(workspace_id, to_id));

-- +goose StatementEnd
-- +goose StatementBegin
do
$$
declare
    t text;
begin
    foreach t in array array ['attempt', 'clearing', 'comment', 'feedback', 'finding', 'revision', 'solution', 'suggested_edit', 'topic_tag']
        loop
            execute format('alter policy visible_topic on %I
                using (current_setting(''app.see_private'', true) = ''on'' or topic_visible(workspace_id, topic_id))', t);
        end loop;
    -- Every table of a workspace has this policy, and all but one have it in the same words.
    for t in select tablename from pg_policies where schemaname = current_schema() and policyname = 'tenant' and tablename <> 'membership'
        loop
            execute format('alter policy tenant on %I
                using (workspace_id = nullif(current_setting(''app.workspace_id'', true), '''')::uuid)
                with check (workspace_id = nullif(current_setting(''app.workspace_id'', true), '''')::uuid)', t);
        end loop;
end
$$;
-- +goose StatementEnd
-- +goose StatementBegin

-- What most topics do not have is asked by functions: a sub-select would be set up by every statement that reads a topic. They run
-- with the rights of the caller, behind the policies.
create function topic_outgoing(ws uuid, asked uuid) returns json
    language plpgsql stable parallel safe as
$$
begin
    return (select json_agg(json_build_object('type', r.type, 'slug', o.slug, 'title', o.title, 'status', o.status, 'returns_to', o.returns_to)
                            order by r.type, o.slug)
            from relation r join topic o on o.workspace_id = r.workspace_id and o.id = r.to_id
            where r.workspace_id = ws and r.from_id = asked);
end
$$;

create function topic_incoming(ws uuid, asked uuid) returns json
    language plpgsql stable parallel safe as
$$
begin
    return (select json_agg(json_build_object('type', r.type, 'slug', o.slug, 'title', o.title, 'status', o.status, 'returns_to', o.returns_to)
                            order by r.type, o.slug)
            from relation r join topic o on o.workspace_id = r.workspace_id and o.id = r.from_id
            where r.workspace_id = ws and r.to_id = asked and o.status <> 'trash');
end
$$;

create function topic_mentions(ws uuid, asked uuid) returns json
    language plpgsql stable parallel safe as
$$
begin
    return (select json_agg(m.to_slug order by m.to_slug) from mention m where m.workspace_id = ws and m.from_id = asked);
end
$$;

create function topic_mentioned_by(ws uuid, asked uuid, named text) returns json
    language plpgsql stable parallel safe as
$$
begin
    return (select json_agg(distinct o.slug order by o.slug)
            from mention m join topic o on o.workspace_id = m.workspace_id and o.id = m.from_id
            where m.workspace_id = ws and o.status <> 'trash' and o.id <> asked
              and m.to_slug = any (named || array(select d.slug from topic d where d.workspace_id = ws and d.merged_into = asked)));
end
$$;

create function topic_solution_revisions(ws uuid, asked uuid) returns json
    language plpgsql stable parallel safe as
$$
begin
    return (select json_object_agg(s.id, s.revision) from solution s where s.workspace_id = ws and s.topic_id = asked);
end
$$;

create function topic_slug(ws uuid, asked uuid) returns text
    language plpgsql stable parallel safe as
$$
begin
    return (select t.slug from topic t where t.workspace_id = ws and t.id = asked);
end
$$;

-- Which kinds of edges a topic may have, so that reading one does not look for those that most do not have: 1 relations out of it,
-- 2 relations to it, 4 mentions in it, 8 mentions of it or of what was merged into it. A bit is never missing, and may be there for
-- nothing: what is taken away leaves it. Topics from before have all of them.
alter table topic add column edges smallint not null default 15;
alter table topic alter column edges set default 0;

-- Whoever writes an edge need not see both ends: a mention may name a draft of somebody else. Hence as our own work.
create function note_relation() returns trigger
    language plpgsql as
$$
declare
    seen text := coalesce(current_setting('app.see_private', true), '');
begin
    perform set_config('app.see_private', 'on', true);
    update topic t set edges = t.edges | case when t.id = new.from_id then 1 else 2 end
    where t.workspace_id = new.workspace_id and t.id in (new.from_id, new.to_id)
      and t.edges & case when t.id = new.from_id then 1 else 2 end = 0;
    perform set_config('app.see_private', seen, true);
    return null;
end
$$;
create trigger note_relation after insert on relation for each row execute function note_relation();

create function note_mention() returns trigger
    language plpgsql as
$$
declare
    seen text := coalesce(current_setting('app.see_private', true), '');
begin
    perform set_config('app.see_private', 'on', true);
    update topic t set edges = t.edges | 4 where t.workspace_id = new.workspace_id and t.id = new.from_id and t.edges & 4 = 0;
    update topic t set edges = t.edges | 8 where t.workspace_id = new.workspace_id and t.slug = new.to_slug and t.edges & 8 = 0;
    update topic t set edges = t.edges | 8
    where t.workspace_id = new.workspace_id and t.edges & 8 = 0
      and t.id = (select m.merged_into from topic m where m.workspace_id = new.workspace_id and m.slug = new.to_slug);
    perform set_config('app.see_private', seen, true);
    return null;
end
$$;
create trigger note_mention after insert on mention for each row execute function note_mention();

create function note_new_topic() returns trigger
    language plpgsql as
$$
declare
    seen text := coalesce(current_setting('app.see_private', true), '');
begin
    perform set_config('app.see_private', 'on', true);
    if exists (select from mention m where m.workspace_id = new.workspace_id and m.to_slug = new.slug) then
        new.edges = new.edges | 8;
    end if;
    perform set_config('app.see_private', seen, true);
    return new;
end
$$;
create trigger note_new_topic before insert on topic for each row execute function note_new_topic();

create function note_merge() returns trigger
    language plpgsql as
$$
declare
    seen text := coalesce(current_setting('app.see_private', true), '');
begin
    perform set_config('app.see_private', 'on', true);
    update topic t set edges = t.edges | 8 where t.workspace_id = new.workspace_id and t.id = new.merged_into and t.edges & 8 = 0;
    perform set_config('app.see_private', seen, true);
    return null;
end
$$;
create trigger note_merge after update of merged_into on topic for each row
    when (new.merged_into is distinct from old.merged_into and new.merged_into is not null) execute function note_merge();

-- +goose StatementEnd
