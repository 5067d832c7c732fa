import { Checkbox, Chip, Group, MultiSelect, NativeSelect, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { TopicFilter } from '../activity/TopicFilter';
import { allAreasQuery } from '../api/curation';
import { wholeGraphQuery } from '../api/graph';
import type { Trust } from '../api/types';
import { useText } from '../i18n';
import { Empty, Failure, RowsSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { useHere } from '../shell/workspace';
import { Canvas } from './Canvas';
import css from './graph.module.css';
import { Legend } from './Legend';
import { edgeTypes } from './lines';
import { Side } from './Side';
import { trusts, visible } from './visible';

const route = getRouteApi('/w/$ws/graph');

/** How topics hang together: the whole workspace, or what lies around one of them. */
export default function GraphPage() {
  const { workspace } = useHere();
  const t = useText();
  useTitle(t('nav.graph'));
  const { topic, depth = 2, area } = route.useSearch();
  const navigate = route.useNavigate();
  const graph = useQuery({
    ...wholeGraphQuery(workspace.slug, { topic, depth, area }),
    placeholderData: keepPreviousData,
  });
  const areas = useQuery(allAreasQuery(workspace.slug));
  const [wanted, setWanted] = useState('');
  const [words] = useDebouncedValue(wanted, 150);
  const [trust, setTrust] = useState<Trust[]>([...trusts]);
  const [care, setCare] = useState(false);
  const [types, setTypes] = useState<string[]>([]);
  const [chosen, setChosen] = useState<string>();
  const shown = useMemo(
    () => graph.data && visible(graph.data, { words, trust, care, types }),
    [graph.data, words, trust, care, types],
  );
  const none = graph.data?.nodes.length === 0;
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>{t('nav.graph')}</h1>
        <div className={css.filters}>
          <TextInput
            type="search"
            aria-label={t('map.find')}
            placeholder={t('map.find')}
            leftSection={<IconSearch size={16} />}
            value={wanted}
            onChange={(event) => {
              setWanted(event.currentTarget.value);
            }}
          />
          <TopicFilter
            key={topic}
            value={topic}
            onChange={(next) => {
              setChosen(next);
              void navigate({ search: next ? { topic: next } : {}, replace: true });
            }}
          />
          {topic ? (
            <NativeSelect
              aria-label={t('map.depth')}
              data={[1, 2, 3, 4, 5].map((n) => ({
                value: String(n),
                label: t.count('graph.steps', n),
              }))}
              value={String(depth)}
              onChange={(event) => {
                const next = Number(event.currentTarget.value);
                void navigate({ search: { topic, depth: next }, replace: true });
              }}
            />
          ) : (
            <Select
              aria-label={t('facts.area')}
              placeholder={t('list.anyArea')}
              clearable
              searchable
              clearButtonProps={{ 'aria-label': t('list.anyArea') }}
              data={(areas.data ?? []).map(({ name }) => name)}
              value={area ?? null}
              onChange={(next) => {
                void navigate({ search: { area: next ?? undefined }, replace: true });
              }}
            />
          )}
          <MultiSelect
            aria-label={t('map.types')}
            placeholder={types.length > 0 ? undefined : t('map.anyType')}
            clearable
            clearButtonProps={{ 'aria-label': t('map.anyType') }}
            data={edgeTypes.map((value) => ({ value, label: t(`relation.${value}`) }))}
            value={types}
            onChange={setTypes}
          />
        </div>
        <Group gap={8} className={css.chips}>
          <Chip.Group
            multiple
            value={trust}
            onChange={(next) => {
              setTrust(trusts.filter((one) => next.includes(one)));
            }}
          >
            {trusts.map((one) => (
              <Chip key={one} value={one} size="xs" variant="outline">
                {t(`trust.${one}`)}
              </Chip>
            ))}
          </Chip.Group>
          <Checkbox
            size="xs"
            label={t('map.care')}
            checked={care}
            onChange={(event) => {
              setCare(event.currentTarget.checked);
            }}
          />
          <span role="status" className={`soft num ${css.count ?? ''}`}>
            {shown &&
              `${t.count('list.count', shown.nodes.length)} · ${t.count('map.edges', shown.edges.length)}`}
            {graph.data?.truncated && ` · ${t('graph.truncated')}`}
          </span>
        </Group>
      </header>
      {graph.isPending && <RowsSkeleton rows={6} height={72} />}
      {graph.isError && <Failure error={graph.error} retry={() => void graph.refetch()} />}
      {none && <Empty title={t('map.none')}>{t('map.noneText')}</Empty>}
      {graph.data && shown && !none && (
        <div className={css.body}>
          <div className={css.left}>
            <Canvas graph={graph.data} shown={shown} chosen={chosen} onChoose={setChosen} />
            <Legend />
          </div>
          <Side graph={graph.data} shown={shown} chosen={chosen} onChoose={setChosen} />
        </div>
      )}
    </div>
  );
}
