import { Button, Checkbox, MultiSelect, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedValue, useIntersection } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { areasQuery, tagsQuery, topicsQuery } from '../api/queries';
import type { SearchHit, TopicSummary } from '../api/types';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { When } from '../parts/When';
import type { ListSearch } from '../router';
import { useHere } from '../shell/workspace';
import { useTitle } from '../parts/title';
import { SavedFilters } from './SavedFilters';
import css from './lists.module.css';

interface Props {
  kind: 'notes' | 'knowledge';
  filter: ListSearch;
  onFilter: (change: ListSearch) => void;
}

const notes = getRouteApi('/w/$ws/notes');
const knowledge = getRouteApi('/w/$ws/knowledge');

export function NotesPage() {
  const filter = notes.useSearch();
  const navigate = notes.useNavigate();
  return (
    <TopicList
      key="notes"
      kind="notes"
      filter={filter}
      onFilter={(change) => void navigate({ search: { ...filter, ...change }, replace: true })}
    />
  );
}

export function KnowledgePage() {
  const filter = knowledge.useSearch();
  const navigate = knowledge.useNavigate();
  return (
    <TopicList
      key="knowledge"
      kind="knowledge"
      filter={filter}
      onFilter={(change) => void navigate({ search: { ...filter, ...change }, replace: true })}
    />
  );
}

function TopicList({ kind, filter, onFilter }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  useTitle(t(`nav.${kind}`));
  const [query, setQuery] = useState(filter.q ?? '');
  const [asked] = useDebouncedValue(query.trim(), 150);
  const areas = useQuery(areasQuery(ws));
  const tags = useQuery(tagsQuery(ws));
  useEffect(() => {
    if (asked !== (filter.q ?? '')) onFilter({ q: asked || undefined });
    // Only what was typed leads here; the address follows.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [asked]);
  const status = kind === 'knowledge' ? 'reviewed' : (filter.trust ?? 'proposed');
  const topics = useInfiniteQuery({
    ...topicsQuery(ws, {
      query: asked,
      status,
      area: filter.area,
      tags: filter.tags,
      mine: filter.mine,
    }),
    placeholderData: keepPreviousData,
  });
  // What comes next is fetched before its place is reached; the button is for whoever goes by keyboard.
  const { ref: more, entry } = useIntersection({ rootMargin: '600px' });
  const near = entry?.isIntersecting === true;
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = topics;
  useEffect(() => {
    if (near && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [near, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const rows = topics.data?.pages.flatMap((page) => page.results) ?? [];
  const filtered = Boolean(asked || filter.area || filter.tags?.length || filter.mine);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t(`nav.${kind}`)}</h1>
        <p className="soft">{t(`list.${kind}.text`)}</p>
        <div className={css.filters}>
          <TextInput
            className={css.query}
            type="search"
            aria-label={t(`list.${kind}.search`)}
            placeholder={t(`list.${kind}.search`)}
            leftSection={<IconSearch size={16} />}
            value={query}
            onChange={(event) => {
              setQuery(event.currentTarget.value);
            }}
          />
          <Select
            aria-label={t('facts.area')}
            placeholder={t('list.anyArea')}
            clearable
            searchable
            data={areas.data?.results.map((area) => area.name) ?? []}
            value={filter.area ?? null}
            onChange={(area) => {
              onFilter({ area: area ?? undefined });
            }}
          />
          <MultiSelect
            aria-label={t('facts.tags')}
            placeholder={filter.tags?.length ? undefined : t('list.anyTag')}
            clearable
            searchable
            data={tags.data?.results.map((tag) => tag.name) ?? []}
            value={filter.tags ?? []}
            onChange={(value) => {
              onFilter({ tags: value.length > 0 ? value : undefined });
            }}
          />
        </div>
        {kind === 'notes' && (
          <div className={css.trust}>
            <SegmentedControl
              size="xs"
              aria-label={t('list.trust')}
              value={filter.trust ?? 'proposed'}
              onChange={(value) => {
                onFilter({ trust: value === 'draft' ? value : undefined });
              }}
              data={[
                { value: 'proposed', label: t('trust.proposed') },
                { value: 'draft', label: t('trust.draft') },
              ]}
            />
            <Checkbox
              size="sm"
              label={t('list.mine')}
              disabled={asked !== ''}
              checked={filter.mine ?? false}
              onChange={(event) => {
                onFilter({ mine: event.currentTarget.checked || undefined });
              }}
            />
          </div>
        )}
        <SavedFilters
          workspace={ws}
          kind={kind}
          filter={{ ...filter, q: asked || undefined }}
          onFilter={(next) => {
            setQuery(next.q ?? '');
            onFilter(next);
          }}
        />
      </header>
      <div aria-busy={topics.isPlaceholderData} className={css.results}>
        {topics.isPending && <RowsSkeleton rows={8} height={87} />}
        {topics.isError && <Failure error={topics.error} retry={() => void topics.refetch()} />}
        {topics.isSuccess && rows.length === 0 && (
          <NothingFound kind={kind} ws={ws} filtered={filtered} />
        )}
        {rows.length > 0 && (
          <ul>
            {rows.map((topic) => (
              <TopicRow key={topic.slug} ws={ws} topic={topic} />
            ))}
          </ul>
        )}
        {topics.hasNextPage && (
          <div className={css.more} ref={more}>
            <Button
              variant="default"
              loading={topics.isFetchingNextPage}
              onClick={() => void topics.fetchNextPage()}
            >
              {t('list.more')}
            </Button>
          </div>
        )}
      </div>
      <p className="srOnly" role="status">
        {topics.isSuccess && t.count('list.count', rows.length)}
      </p>
    </div>
  );
}

function NothingFound({
  kind,
  ws,
  filtered,
}: {
  kind: Props['kind'];
  ws: string;
  filtered: boolean;
}) {
  const t = useText();
  if (filtered) return <Empty title={t('list.nothing')}>{t('list.nothing.text')}</Empty>;
  return (
    <Empty
      title={t(`list.${kind}.empty`)}
      action={
        <Button
          component={Link}
          to={`/w/${ws}/${kind === 'notes' ? 'connect' : 'notes'}`}
          variant="default"
        >
          {t(kind === 'notes' ? 'nav.connect' : 'nav.notes')}
        </Button>
      }
    >
      {t(`list.${kind}.empty.text`)}
    </Empty>
  );
}

function TopicRow({ ws, topic }: { ws: string; topic: TopicSummary | SearchHit }) {
  const t = useText();
  const reasons = 'why_matched' in topic ? topic.why_matched : [];
  return (
    <li>
      <Link className={css.row} to="/w/$ws/t/$slug" params={{ ws, slug: topic.slug }}>
        <span className={css.title}>{topic.title}</span>
        <span className={css.what}>{topic.what}</span>
        <span className={css.meta}>
          {topic.area && <span>{topic.area}</span>}
          {topic.tags.slice(0, 3).map((tag) => (
            <span key={tag}>#{tag}</span>
          ))}
          {reasons.length > 0 && (
            <span className={css.why}>
              {t('list.matched', { what: reasons.slice(0, 2).join(', ') })}
            </span>
          )}
        </span>
        <span className={css.side}>
          <TrustMark
            trust={topic.trust}
            status={topic.status}
            stale={topic.stale}
            isPrivate={topic.is_private}
          />
          <span className="soft">
            <When at={topic.updated_at} />
          </span>
        </span>
      </Link>
    </li>
  );
}
