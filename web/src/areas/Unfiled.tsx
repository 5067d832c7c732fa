import { Button, Checkbox, Group, Progress, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { allAreasQuery, fileTopic, unfiledQuery } from '../api/curation';
import type { TopicSummary } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Section } from '../parts/Section';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './areas.module.css';

type Filed = Pick<TopicSummary, 'slug' | 'revision'>;

/** Topics without an area: many are chosen, and filed in one go. */
export function Unfiled() {
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const list = useInfiniteQuery(unfiledQuery(workspace.slug));
  const areas = useQuery(allAreasQuery(workspace.slug));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [area, setArea] = useState<string | null>(null);
  const [done, setDone] = useState(0);
  const topics = list.data?.pages.flatMap((page) => page.results) ?? [];
  const picked = topics.filter(({ slug }) => chosen.has(slug));
  const may = workspace.role !== 'viewer';

  /** Files one after the other, so that each is a revision of its own; answers what was filed. */
  const file = useWrite(
    workspace.slug,
    async ({ topics: all, into }: { topics: readonly Filed[]; into: string }) => {
      const filed: Filed[] = [];
      setDone(0);
      for (const { slug, revision } of all) {
        const next = await fileTopic(workspace.slug, { slug, revision }, into);
        filed.push({ slug, revision: next.revision });
        setDone(filed.length);
      }
      return filed;
    },
  );

  const start = (): void => {
    if (!area) return;
    file.mutate(
      { topics: picked, into: area },
      {
        onSuccess(filed) {
          setChosen(new Set());
          notify(
            <Group justify="space-between" wrap="nowrap">
              {t.count('areas.filed', filed.length, { area })}
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  file.mutate({ topics: filed, into: '' });
                }}
              >
                {t('people.undo')}
              </Button>
            </Group>,
            { autoClose: 15_000 },
          );
        },
      },
    );
  };

  return (
    <Section title={t('areas.tab.unfiled')} text={t('areas.unfiledText')}>
      {list.isPending && <RowsSkeleton rows={6} height={62} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && topics.length === 0 && (
        <Empty title={t('areas.allFiled')}>{t('areas.allFiledText')}</Empty>
      )}
      {topics.length > 0 && may && (
        <div className={css.filing}>
          <Checkbox
            label={t.count('areas.chosen', picked.length)}
            checked={picked.length === topics.length}
            indeterminate={picked.length > 0 && picked.length < topics.length}
            onChange={(event) => {
              const all = event.currentTarget.checked ? topics.map(({ slug }) => slug) : [];
              setChosen(new Set(all));
            }}
          />
          <Select
            aria-label={t('areas.fileUnder')}
            placeholder={t('areas.fileUnder')}
            searchable
            data={(areas.data ?? []).map(({ name }) => name)}
            value={area}
            onChange={setArea}
            nothingFoundMessage={t('areas.none')}
          />
          <Button loading={file.isPending} disabled={picked.length === 0 || !area} onClick={start}>
            {t('areas.file')}
          </Button>
          {file.isPending && (
            <Progress
              value={(100 * done) / Math.max(1, file.variables.topics.length)}
              aria-label={t('areas.filing')}
              w="100%"
            />
          )}
        </div>
      )}
      {file.error && <Failure error={file.error} />}
      <ul className={css.topics}>
        {topics.map((topic) => (
          <li key={topic.slug}>
            {may ? (
              <Checkbox
                aria-label={t('areas.choose', { title: topic.title })}
                checked={chosen.has(topic.slug)}
                onChange={(event) => {
                  const next = new Set(chosen);
                  if (event.currentTarget.checked) next.add(topic.slug);
                  else next.delete(topic.slug);
                  setChosen(next);
                }}
              />
            ) : (
              <span />
            )}
            <div>
              <Link
                className={css.title}
                to="/w/$ws/t/$slug"
                params={{ ws: workspace.slug, slug: topic.slug }}
              >
                {topic.title}
              </Link>
              <p>{topic.what}</p>
            </div>
            <TrustMark trust={topic.trust} status={topic.status} stale={topic.stale} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <div className={css.more}>
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('list.more')}
          </Button>
        </div>
      )}
    </Section>
  );
}
