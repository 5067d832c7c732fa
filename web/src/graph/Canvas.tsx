import { ActionIcon, Progress, useComputedColorScheme } from '@mantine/core';
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { WholeGraph } from '../api/graph';
import { useText } from '../i18n';
import css from './graph.module.css';
import { layout, type Places } from './layout';
import { draw, type Picture } from './picture';
import type { Shown } from './visible';

interface Props {
  graph: WholeGraph;
  shown: Shown;
  chosen: string | undefined;
  onChoose: (slug: string | undefined) => void;
}

/** The picture. Whoever does not see it has the same beside it as a list. */
export function Canvas({ graph, shown, chosen, onChoose }: Props) {
  const t = useText();
  const scheme = useComputedColorScheme();
  const host = useRef<HTMLDivElement>(null);
  const [places, setPlaces] = useState<{ of: WholeGraph; places: Places }>();
  const [progress, setProgress] = useState(0);
  const [picture, setPicture] = useState<Picture | null>(null);
  const choose = useEffectEvent(onChoose);

  useEffect(() => {
    const stop = new AbortController();
    void layout(graph, stop.signal, setProgress).then((found) => {
      if (!stop.signal.aborted) setPlaces({ of: graph, places: found });
    });
    return () => {
      stop.abort();
    };
  }, [graph]);

  const placed = places?.of === graph ? places.places : undefined;
  useEffect(() => {
    const container = host.current;
    if (!container || !placed) return;
    const stop = new AbortController();
    let drawn: Picture | null = null;
    void draw(container, graph, placed, stop.signal, choose).then((done) => {
      drawn = done;
      setPicture(done);
    });
    return () => {
      stop.abort();
      drawn?.destroy();
      setPicture(null);
    };
  }, [graph, placed, scheme]);

  useEffect(() => {
    picture?.show(
      new Set(shown.nodes.map(({ slug }) => slug)),
      new Set(shown.edges.map(({ type }) => type)),
    );
  }, [picture, shown]);

  useEffect(() => {
    picture?.mark(chosen);
  }, [picture, chosen]);

  return (
    <div className={css.canvas} aria-busy={!picture}>
      <div ref={host} className={css.host} role="img" aria-label={t('map.label')} />
      {!picture && (
        <div className={css.drawing}>
          <Progress value={100 * progress} aria-label={t('map.drawing')} w={180} />
          <span className="soft">{t('map.drawing')}</span>
        </div>
      )}
      <div className={css.zoom}>
        <ActionIcon
          variant="default"
          aria-label={t('map.nearer')}
          onClick={() => picture?.zoom(1.4)}
        >
          <IconPlus size={16} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label={t('map.farther')}
          onClick={() => picture?.zoom(1 / 1.4)}
        >
          <IconMinus size={16} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label={t('map.whole')} onClick={() => picture?.fit()}>
          <IconFocusCentered size={16} />
        </ActionIcon>
      </div>
    </div>
  );
}
