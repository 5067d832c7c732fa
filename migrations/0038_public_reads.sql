-- +goose Up
-- +goose StatementBegin

-- Who reads without an account enters no workspace: app.workspace_id stays empty, every policy of every table hides every row, and
-- tables to come are closed to them without a word. What an owner opened comes out of the functions below and from nowhere else, cut
-- down to what is said to the public: no person, no source, no anchor, no tag, and of relations those between two open topics.

-- The door. It answers null, after the same steps, for a workspace that is not there and for one that is closed. What an owner
-- saved counts before what the server is configured with.
create function enter_public(wanted text, configured boolean, configured_tags text[]) returns uuid
    language plpgsql as
$$
declare
    ws      uuid;
    setting workspace_setting;
begin
    select w.id into ws from workspace w where w.slug = wanted;
    perform set_config('app.workspace_id', coalesce(ws::text, ''), true);
    select * into setting from workspace_setting s where s.workspace_id = ws;
    perform set_config('app.workspace_id', '', true), set_config('transaction_read_only', 'on', true);
    if ws is null or not coalesce(setting.public_enabled, configured) then
        return null;
    end if;
    perform set_config('app.public_id', ws::text, true),
            set_config('app.public_all', case when setting.public_enabled and setting.public_all_reviewed then 'on' else '' end, true),
            set_config('app.public_tags', (case when setting.public_enabled then setting.public_tags else configured_tags end)::text, true);
    return ws;
end
$$;

-- What is open in the workspace that was entered: the one place that says it. All of it, or what of it has these slugs or ids.
create function open_topics(slugs text[], ids uuid[])
    returns table (id uuid, slug text, title text, what text, revision integer, content_hash text, approved_at timestamptz, stale boolean)
    language plpgsql stable rows 1000 as
$$
declare
    ws   uuid    := nullif(current_setting('app.public_id', true), '')::uuid;
    whole boolean := coalesce(current_setting('app.public_all', true), '') = 'on';
    tags text[]  := nullif(current_setting('app.public_tags', true), '')::text[];
begin
    return query
        select t.id, t.slug, t.title, t.what, t.revision, t.content_hash, t.approved_at, t.drift_state in ('review', 'broken')
        from topic t
        where t.workspace_id = ws
          and t.status = 'reviewed'
          and not t.is_private
          and (slugs is null or t.slug = any (slugs))
          and (open_topics.ids is null or t.id = any (open_topics.ids))
          and (whole or t.id in (select h.topic_id from share h
                                 where h.workspace_id = ws and h.revoked_at is null and (h.expires_at is null or h.expires_at > now())))
          and (tags = '{}' or t.id in (select x.topic_id from topic_tag x join tag g on g.workspace_id = x.workspace_id and g.id = x.tag_id
                                       where g.workspace_id = ws and g.name = any (tags)));
end
$$;

-- How many topics are open, and a digest of everything that is said about them: equal digests mean equal reads. Relations are a part of
-- what the hash of a content covers.
create function public_version() returns table (topics bigint, digest text)
    language plpgsql stable as
$$
begin
    perform set_config('app.workspace_id', current_setting('app.public_id', true), true);
    return query
        select count(*), encode(sha256(convert_to(coalesce(string_agg(
            o.slug || ' ' || o.revision || ' ' || o.content_hash || ' ' || extract(epoch from o.approved_at) || ' ' || o.stale, E'\n' order by o.slug collate "C"), ''), 'utf8')), 'hex')
        from open_topics(null, null) o;
    perform set_config('app.workspace_id', '', true);
end
$$;

-- Open topics as documents, by slug: those named or with these ids, or all, behind a slug, up to a number of them; with what they say
-- and how they are related, or only what a list shows.
create function public_topics(named text[], ids uuid[], behind text, most integer, whole boolean) returns setof json
    language plpgsql stable as
$$
declare
    ws uuid := nullif(current_setting('app.public_id', true), '')::uuid;
begin
    perform set_config('app.workspace_id', coalesce(ws::text, ''), true);
    return query
        with shown as materialized (
            select o.* from open_topics(named, public_topics.ids) o where o.slug collate "C" > behind order by o.slug collate "C" limit most),
        -- Each lateral is a look-up in an index for each topic that is shown, however many there are in all.
        edges as materialized (
            select s.id, r.type, r.to_id as other, true as goes from shown s cross join lateral (
                select e.type, e.to_id from relation e where whole and e.workspace_id = ws and e.from_id = s.id offset 0) r
            union all
            select s.id, r.type, r.from_id, false from shown s cross join lateral (
                select e.type, e.from_id from relation e where whole and e.workspace_id = ws and e.to_id = s.id offset 0) r),
        ends as materialized (
            select o.id, o.slug, o.title from open_topics(null, (select array_agg(distinct e.other) from edges e)) o where exists (select from edges)),
        related as (
            select e.id, json_agg(json_build_object('type', e.type, 'slug', o.slug, 'title', o.title, 'status', 'reviewed') order by e.type, o.slug collate "C")
                       filter (where e.goes) as goes,
                   json_agg(json_build_object('type', e.type, 'slug', o.slug, 'title', o.title, 'status', 'reviewed') order by e.type, o.slug collate "C")
                       filter (where not e.goes) as comes
            from edges e join ends o on o.id = e.other
            group by e.id)
        select json_build_object(
            'id', s.id, 'slug', s.slug, 'title', s.title, 'what', s.what, 'status', 'reviewed', 'revision', s.revision, 'approved_at', s.approved_at,
            'updated_at', s.approved_at, 'drift_state', case when s.stale then 'review' else 'fresh' end,
            'body', t.said, 'outgoing', r.goes, 'incoming', r.comes)
        from shown s
             left join related r on r.id = s.id
             left join lateral (
                 select json_build_object('how', b.body -> 'how', 'content', b.body -> 'content', 'decisions', b.body -> 'decisions',
                     'gotchas', b.body -> 'gotchas', 'invariants', b.body -> 'invariants', 'required_checks', b.body -> 'required_checks') as said
                 from topic b where whole and b.workspace_id = ws and b.id = s.id offset 0) t on true
        order by s.slug collate "C";
    perform set_config('app.workspace_id', '', true);
end
$$;

-- Addresses that ended long ago, and notices that nobody is shown any more, are removed by the server itself.
grant delete on share, inbox_item to driftless_app;

-- +goose StatementEnd
