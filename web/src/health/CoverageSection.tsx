import { Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { coverageQuery } from '../api/health';
import { isSynced, sourcesQuery } from '../api/sources';
import { useText } from '../i18n';
import { Section } from '../parts/Section';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import { Folders } from './Folders';

const route = getRouteApi('/w/$ws/health');

/** Which files are written about, folder by folder, and where nothing is. */
export function CoverageSection() {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const { repo, path } = route.useSearch();
  const navigate = route.useNavigate();
  const sources = useQuery(sourcesQuery(ws));
  const names = (sources.data?.results ?? []).filter(isSynced).map((source) => source.name);
  const chosen = repo ?? names[0] ?? '';
  const coverage = useQuery({
    ...coverageQuery(ws, chosen, path),
    enabled: chosen !== '' && sources.isSuccess,
    placeholderData: keepPreviousData,
  });
  const failed = sources.error ?? coverage.error;
  const nothing = sources.isSuccess && chosen === '';
  return (
    <Section
      title={t('coverage.title')}
      text={t('coverage.text')}
      action={
        names.length > 1 && (
          <Select
            size="xs"
            aria-label={t('coverage.repository')}
            data={names}
            value={chosen}
            allowDeselect={false}
            onChange={(name) =>
              void navigate({ search: { repo: name ?? undefined }, replace: true })
            }
          />
        )
      }
    >
      {failed && (
        <Failure
          error={failed}
          retry={() => {
            void sources.refetch();
            void coverage.refetch();
          }}
        />
      )}
      {!failed && nothing && (
        <Empty title={t('coverage.none')}>
          {t('coverage.none.text')} <code className="mono">driftless sync</code>
        </Empty>
      )}
      {!failed && !nothing && !coverage.data && <RowsSkeleton rows={6} height={52} />}
      {!failed && coverage.data && (
        <div aria-busy={coverage.isPlaceholderData}>
          <Folders coverage={coverage.data} repo={repo} />
        </div>
      )}
    </Section>
  );
}
