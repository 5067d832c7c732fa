import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import cytoscape from 'cytoscape';
import { useEffect, useEffectEvent, useRef } from 'react';
import { graphQuery } from '../api/queries';
import type { Graph } from '../api/types';
import { useText } from '../i18n';
import { nonce } from '../nonce';
import { Failure, RowsSkeleton } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './topic.module.css';

/** What lies within two steps of a topic: a picture, and the same as a list. */
export default function TopicGraph({ slug }: { slug: string }) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const navigate = useNavigate();
  const graph = useQuery(graphQuery(ws, slug));
  if (graph.isPending) return <RowsSkeleton rows={5} height={64} />;
  if (graph.isError) return <Failure error={graph.error} retry={() => void graph.refetch()} />;
  const others = graph.data.nodes.filter((node) => node.slug !== slug);
  if (others.length === 0) return <p className="soft">{t('topic.noRelations')}</p>;
  return (
    <>
      <Picture
        graph={graph.data}
        middle={slug}
        onOpen={(next) => {
          void navigate({ to: '/w/$ws/t/$slug', params: { ws, slug: next } });
        }}
      />
      {graph.data.truncated && <p className="soft">{t('graph.truncated')}</p>}
      <ul className={css.nodes}>
        {others.map((node) => (
          <li key={node.slug}>
            <TrustMark trust={node.trust} stale={node.stale} compact />
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: node.slug }}>
              {node.title}
            </Link>
            <span className="soft">{t.count('graph.steps', node.depth)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

// Cytoscape writes a style element unless one with this id is there; ours carries the nonce, and topic.module.css has the rule.
const styleId = '__________cytoscape_stylesheet';

function claimStyle(): void {
  if (document.getElementById(styleId)) return;
  const style = document.createElement('style');
  style.id = styleId;
  style.nonce = nonce;
  document.head.prepend(style);
}

interface PictureProps {
  graph: Graph;
  middle: string;
  onOpen: (slug: string) => void;
}

function Picture({ graph, middle, onOpen }: PictureProps) {
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  const open = useEffectEvent(onOpen);
  useEffect(() => {
    const container = host.current;
    if (!container) return;
    claimStyle();
    const token = (name: string): string =>
      getComputedStyle(container).getPropertyValue(name).trim();
    const colour = (trust: string, stale?: boolean): string =>
      token(
        stale
          ? '--rust'
          : trust === 'reviewed'
            ? '--moss'
            : trust === 'proposed'
              ? '--ochre'
              : '--ink-faint',
      );
    const view = cytoscape({
      container,
      elements: [
        ...graph.nodes.map((node) => ({
          data: {
            id: node.slug,
            label: node.title,
            depth: node.depth,
            colour: colour(node.trust, node.stale),
          },
          classes: node.slug === middle ? 'middle' : '',
        })),
        ...graph.edges.map((edge) => ({
          data: { source: edge.from, target: edge.to, label: t.word('relation', edge.type) },
        })),
      ],
      style: [
        {
          selector: 'node',
          style: {
            shape: 'rectangle',
            width: 14,
            height: 14,
            'background-color': 'data(colour)',
            label: 'data(label)',
            color: token('--ink'),
            'font-size': 11,
            'text-valign': 'bottom',
            'text-margin-y': 5,
            'text-background-color': token('--sheet'),
            'text-background-opacity': 1,
            'text-wrap': 'wrap',
            'text-max-width': '130px',
          },
        },
        { selector: '.middle', style: { width: 20, height: 20, 'font-weight': 'bold' } },
        {
          selector: 'edge',
          style: {
            width: 1,
            'line-color': token('--field-line'),
            'target-arrow-color': token('--field-line'),
            'target-arrow-shape': 'triangle',
            'arrow-scale': 0.7,
            'curve-style': 'bezier',
            label: 'data(label)',
            color: token('--ink-soft'),
            'font-size': 9,
            'text-background-color': token('--sheet'),
            'text-background-opacity': 1,
          },
        },
      ],
      layout: {
        name: 'concentric',
        animate: false,
        concentric: (node) => -Number(node.data('depth')),
        startAngle: 0,
        levelWidth: () => 1,
        minNodeSpacing: 140,
      },
      maxZoom: 1.25,
      userZoomingEnabled: false,
      autoungrabify: true,
    });
    view.on('tap', 'node', (event) => {
      const { id } = (event.target as cytoscape.NodeSingular).data() as { id: string };
      if (id !== middle) open(id);
    });
    return () => {
      view.destroy();
    };
  }, [graph, middle, scheme, t]);
  return <div ref={host} className={css.graph} role="img" aria-label={t('graph.label')} />;
}
