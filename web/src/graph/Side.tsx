import { Button, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { WholeGraph } from '../api/graph';
import { useText } from '../i18n';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './graph.module.css';
import type { Shown } from './visible';

interface Props {
  graph: WholeGraph;
  shown: Shown;
  chosen: string | undefined;
  onChoose: (slug: string | undefined) => void;
}

/** How many topics are listed before somebody asks for more. */
const step = 60;

/** The picture as a list, and the topic that was chosen in either. */
export function Side({ graph, shown, chosen, onChoose }: Props) {
  const t = useText();
  const [rows, setRows] = useState(step);
  const topics = shown.nodes.slice(0, rows);
  return (
    <aside className={css.side} aria-label={t('map.list')}>
      {chosen && <Chosen graph={graph} slug={chosen} onChoose={onChoose} />}
      <h2>{t('map.list')}</h2>
      {topics.length === 0 && <p className="soft">{t('list.nothing')}</p>}
      <ul className={css.topics}>
        {topics.map((node) => (
          <li key={node.slug}>
            <UnstyledButton
              aria-pressed={node.slug === chosen}
              onClick={() => {
                onChoose(node.slug === chosen ? undefined : node.slug);
              }}
            >
              <TrustMark trust={node.trust} stale={node.stale} compact />
              <span>{node.title}</span>
              <span className="soft num">
                <span aria-hidden="true">{shown.degree.get(node.slug) ?? 0}</span>
                <span className="srOnly">
                  {t.count('map.edges', shown.degree.get(node.slug) ?? 0)}
                  {node.superseded && `, ${t('map.superseded')}`}
                </span>
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {shown.nodes.length > rows && (
        <Button
          variant="default"
          size="xs"
          mt={10}
          onClick={() => {
            setRows(rows + step);
          }}
        >
          {t('list.more')}
        </Button>
      )}
    </aside>
  );
}

function Chosen({ graph, slug, onChoose }: Pick<Props, 'graph' | 'onChoose'> & { slug: string }) {
  const { workspace } = useHere();
  const t = useText();
  const titles = useMemo(
    () => new Map(graph.nodes.map((node) => [node.slug, node.title])),
    [graph],
  );
  const node = graph.nodes.find((one) => one.slug === slug);
  if (!node) return null;
  const edges = graph.edges.filter(({ from, to }) => from === slug || to === slug);
  const ws = workspace.slug;
  return (
    <section className={css.chosen} aria-label={node.title}>
      <h2>{node.title}</h2>
      <div className={css.facts}>
        <TrustMark trust={node.trust} stale={node.stale} />
        {node.superseded && <span>{t('map.superseded')}</span>}
        {node.area && <span>{node.area}</span>}
      </div>
      <div className={css.do}>
        <Button component={Link} to={`/w/${ws}/t/${slug}`} variant="default" size="xs">
          {t('map.open')}
        </Button>
        <Button component={Link} to={`/w/${ws}/graph?topic=${slug}`} variant="default" size="xs">
          {t('map.around')}
        </Button>
      </div>
      {edges.length === 0 && <p className="soft">{t('topic.noRelations')}</p>}
      <ul>
        {edges.slice(0, step).map(({ from, type, to }) => {
          const other = from === slug ? to : from;
          return (
            <li key={`${from} ${type} ${to}`}>
              {from !== slug && <span className="soft">← </span>}
              <span className="soft">{t.word('relation', type)}</span>{' '}
              <UnstyledButton
                className={css.other}
                onClick={() => {
                  onChoose(other);
                }}
              >
                {titles.get(other) ?? other}
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
