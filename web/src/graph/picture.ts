// The canvas of a graph, in the console's tokens.

import cytoscape from 'cytoscape';
import type { Edge, Spot, WholeGraph } from '../api/graph';
import { nonce } from '../nonce';
import type { Places } from './layout';
import { edgeTypes, lines, lineOf } from './lines';

// Cytoscape writes a style element unless one with this id is there; ours carries the nonce, and graph.module.css has the rule.
const styleId = '__________cytoscape_stylesheet';

function claimStyle(): void {
  if (document.getElementById(styleId)) return;
  const style = document.createElement('style');
  style.id = styleId;
  style.nonce = nonce;
  document.head.prepend(style);
}

/** How many elements are added before the page gets a turn. */
const atOnce = 150;

/** How many topics are named, and how many edges one of more has to be named all the same. */
const namedMax = 300;
const hub = 8;

function degrees(edges: readonly Edge[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const slug of edges.flatMap(({ from, to }) => [from, to])) {
    found.set(slug, (found.get(slug) ?? 0) + 1);
  }
  return found;
}

export interface Picture {
  /** Shows these topics and edges and no others. */
  show: (nodes: ReadonlySet<string>, types: ReadonlySet<string>) => void;
  /** Marks a topic with its neighbours, and moves it into sight where it is not; nothing marks none. */
  mark: (slug: string | undefined) => void;
  zoom: (factor: number) => void;
  fit: () => void;
  destroy: () => void;
}

function styles(container: HTMLElement, many: boolean): cytoscape.StylesheetJson {
  const token = (name: string): string => getComputedStyle(container).getPropertyValue(name).trim();
  return [
    {
      selector: 'node',
      style: {
        shape: 'rectangle',
        width: 13,
        height: 13,
        'background-color': token('--sheet'),
        'border-width': 1.5,
        'border-color': token('--ink-faint'),
        color: token('--ink'),
        'font-size': 11,
        'min-zoomed-font-size': 9,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-wrap': 'ellipsis',
        'text-max-width': '140px',
      },
    },
    { selector: '.named', style: { label: 'data(label)' } },
    { selector: '.draft', style: { 'border-style': 'dashed' } },
    {
      selector: '.proposed',
      style: {
        'border-color': token('--ochre'),
        'background-fill': 'linear-gradient',
        'background-gradient-stop-colors': [token('--sheet'), token('--ochre')],
        'background-gradient-stop-positions': ['50%', '50%'],
      },
    },
    {
      selector: '.reviewed',
      style: { 'background-color': token('--moss'), 'border-color': token('--moss') },
    },
    // Off level, as its square is everywhere.
    {
      selector: '.stale',
      style: {
        shape: 'diamond',
        width: 18,
        height: 18,
        'background-color': token('--rust'),
        'border-color': token('--rust'),
      },
    },
    {
      selector: '.superseded',
      style: {
        'background-color': token('--sheet'),
        'border-style': 'double',
        'border-width': 4,
        color: token('--ink-soft'),
      },
    },
    {
      selector: 'edge',
      style: {
        width: 1,
        // Ends are drawn where there are few enough to be seen.
        'curve-style': many ? 'haystack' : 'straight',
        'arrow-scale': 0.7,
        'source-distance-from-node': 2,
        'target-distance-from-node': 2,
      },
    },
    ...edgeTypes.map((type) => ({
      selector: `.${type}`,
      style: {
        'line-color': token(lines[type].colour),
        'line-style': lines[type].dash,
        'target-arrow-color': token(lines[type].colour),
        'target-arrow-shape': lines[type].end,
      },
    })),
    { selector: '.off', style: { display: 'none' } },
    { selector: '.far', style: { opacity: 0.3 } },
    {
      selector: '.marked',
      style: {
        'border-color': token('--ink'),
        'border-width': 3,
        'font-weight': 'bold',
      },
    },
    { selector: 'edge.near', style: { 'curve-style': 'straight' } },
    { selector: 'node.near', style: { label: 'data(label)', 'min-zoomed-font-size': 0 } },
  ];
}

const kindOf = ({ trust, stale, superseded }: Spot): string[] => [
  trust,
  ...(stale ? ['stale'] : []),
  ...(superseded ? ['superseded'] : []),
];

/** Draws a graph; `onChoose` hears of the topic that somebody points at. */
export async function draw(
  container: HTMLElement,
  graph: WholeGraph,
  places: Places,
  signal: AbortSignal,
  onChoose: (slug: string | undefined) => void,
): Promise<Picture | null> {
  claimStyle();
  const many = graph.nodes.length > namedMax;
  const view = cytoscape({
    container,
    style: styles(container, many),
    layout: { name: 'preset' },
    minZoom: 0.04,
    maxZoom: 3,
    pixelRatio: 1,
    // While it moves, a picture of it does.
    textureOnViewport: many,
    hideEdgesOnViewport: many,
    autoungrabify: true,
    boxSelectionEnabled: false,
  });
  const points = [...places.values()];
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const wide = Math.max(...xs) - left + 80;
  const tall = Math.max(...ys) - top + 80;
  const zoom = Math.min(1.2, view.width() / wide, view.height() / tall);
  view.viewport({
    zoom,
    pan: {
      x: view.width() / 2 - zoom * (left - 40 + wide / 2),
      y: view.height() / 2 - zoom * (top - 40 + tall / 2),
    },
  });
  // Where there are too many names to read any, only those stay that much hangs on.
  const degree = degrees(graph.edges);
  const named = many ? hub : 0;
  const elements: cytoscape.ElementDefinition[] = [
    ...graph.nodes.map((node) => ({
      group: 'nodes' as const,
      data: { id: node.slug, label: node.title },
      position: { ...(places.get(node.slug) ?? { x: 0, y: 0 }) },
      classes: (degree.get(node.slug) ?? 0) >= named ? [...kindOf(node), 'named'] : kindOf(node),
    })),
    ...graph.edges.map((edge: Edge) => ({
      group: 'edges' as const,
      data: { source: edge.from, target: edge.to, type: edge.type },
      classes: lineOf(edge.type) === lines.mention ? ['mention'] : [edge.type],
    })),
  ];
  for (let i = 0; i < elements.length && !signal.aborted; i += atOnce) {
    view.add(elements.slice(i, i + atOnce));
    await new Promise((next) => setTimeout(next));
  }
  if (signal.aborted) {
    view.destroy();
    return null;
  }
  view.on('tap', (event) => {
    const target = event.target as cytoscape.Core | cytoscape.Singular;
    onChoose(target !== view && 'isNode' in target && target.isNode() ? target.id() : undefined);
  });
  return {
    show(nodes, types) {
      view.batch(() => {
        view.nodes().forEach((node) => {
          node.toggleClass('off', !nodes.has(node.id()));
        });
        view.edges().forEach((edge) => {
          edge.toggleClass('off', !types.has((edge.data() as { type: string }).type));
        });
      });
    },
    mark(slug) {
      view.batch(() => {
        view.elements('.far, .marked, .near').removeClass('far marked near');
        if (slug === undefined) return;
        const node = view.getElementById(slug);
        if (node.empty()) return;
        view.elements().not(node.closedNeighborhood()).addClass('far');
        node.addClass('marked');
        node.closedNeighborhood().addClass('near');
      });
      if (slug === undefined) return;
      const node = view.getElementById(slug);
      const box = view.extent();
      const { x, y } = node.position();
      if (x < box.x1 || x > box.x2 || y < box.y1 || y > box.y2) view.center(node);
    },
    zoom(factor) {
      const middle = { x: view.width() / 2, y: view.height() / 2 };
      view.zoom({ level: view.zoom() * factor, renderedPosition: middle });
    },
    fit() {
      view.fit(view.elements(':visible'), 30);
    },
    destroy() {
      view.destroy();
    },
  };
}
