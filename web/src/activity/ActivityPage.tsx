import { Button, MultiSelect } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { activityQuery, withNews } from '../api/activity';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import type { ActivitySearch } from '../router';
import { useHere } from '../shell/workspace';
import { ChainCheck } from './ChainCheck';
import { EventRow } from './EventRow';
import { Live } from './Live';
import { TopicFilter } from './TopicFilter';
import { groups } from './types';
import css from './activity.module.css';

const route = getRouteApi('/w/$ws/activity');

/** How often to look for news where there is no stream of them, in milliseconds. A page that nobody sees does not look. */
const every = 10_000;

/** Everything that happened in the workspace, newest first. */
export default function ActivityPage() {
  const { workspace, decides } = useHere();
  const t = useText();
  useTitle(t('nav.activity'));
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const visible = useDocumentVisibility() === 'visible';
  const [refused, setRefused] = useState(false);
  const [news, setNews] = useState(0);
  const query = activityQuery(workspace.slug, filter);
  const events = useInfiniteQuery({
    ...query,
    placeholderData: keepPreviousData,
    refetchInterval: refused && every,
  });
  const rows = events.data?.pages.flatMap((page) => page.results) ?? [];
  const filtered = Boolean(filter.types?.length ?? filter.topic);
  const choose = (change: ActivitySearch): void => {
    void navigate({ search: { ...filter, ...change }, replace: true });
  };
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div>
          <h1>{t('nav.activity')}</h1>
          <p className="soft">{t('activity.text')}</p>
        </div>
        {decides && <ChainCheck />}
      </header>
      {visible && !refused && events.isSuccess && !events.isPlaceholderData && (
        <Live
          key={JSON.stringify(query.queryKey)}
          workspace={workspace.slug}
          filter={filter}
          after={rows[0]?.seq ?? 0}
          onEvent={(event) => {
            client.setQueryData(query.queryKey, (known) => withNews(known, event));
            setNews((n) => n + 1);
          }}
          onRefused={() => {
            setRefused(true);
          }}
        />
      )}
      <p className="srOnly" role="status">
        {news > 0 && t.count('activity.news', news)}
      </p>
      <div className={css.filters}>
        <MultiSelect
          aria-label={t('activity.types')}
          placeholder={filter.types?.length ? undefined : t('activity.anyType')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('activity.anyType') }}
          hidePickedOptions
          data={Object.entries(groups).map(([group, types]) => ({
            group: t.word('activity.group', group),
            items: types.map((value) => ({ value, label: t(`event.${value}`) })),
          }))}
          value={filter.types ?? []}
          onChange={(types) => {
            choose({ types: types.length > 0 ? types : undefined });
          }}
        />
        <TopicFilter
          value={filter.topic}
          onChange={(topic) => {
            choose({ topic });
          }}
        />
      </div>
      <div className={css.results} aria-busy={events.isPlaceholderData}>
        {events.isPending && <RowsSkeleton rows={8} height={60} />}
        {events.isError && <Failure error={events.error} retry={() => void events.refetch()} />}
        {events.isSuccess && rows.length === 0 && (
          <Empty title={t(filtered ? 'activity.nothing' : 'activity.empty')}>
            {t(filtered ? 'activity.nothing.text' : 'activity.empty.text')}
          </Empty>
        )}
        {rows.length > 0 && (
          <ol>
            {rows.map((row) => (
              <EventRow key={row.id} row={row} />
            ))}
          </ol>
        )}
        {events.hasNextPage && (
          <div className={css.more}>
            <Button
              variant="default"
              loading={events.isFetchingNextPage}
              onClick={() => void events.fetchNextPage()}
            >
              {t('list.more')}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
