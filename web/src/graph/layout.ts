// Where topics stand: forces push them apart and edges pull them together, in turns so that the page stays alive.

import {
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { WholeGraph } from '../api/graph';

interface Body extends SimulationNodeDatum {
  slug: string;
}

export type Places = ReadonlyMap<string, { x: number; y: number }>;

/** How long one turn may take, in milliseconds. */
const turn = 12;
const turns = 160;

/** Computes places; the same graph gets the same ones. `onProgress` is told of the share that is done. */
export async function layout(
  graph: WholeGraph,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Places> {
  const bodies: Body[] = graph.nodes.map(({ slug }) => ({ slug }));
  // Not in the turn of whoever asks: the page shows first that it is under way.
  await new Promise((next) => setTimeout(next));
  const simulation = forceSimulation(bodies)
    .force(
      'link',
      forceLink<Body, { source: string; target: string }>(
        graph.edges.map(({ from, to }) => ({ source: from, target: to })),
      )
        .id(({ slug }) => slug)
        .distance(70),
    )
    .force('charge', forceManyBody<Body>().strength(-160).distanceMax(900).theta(1.4))
    .force('x', forceX<Body>().strength(0.05))
    .force('y', forceY<Body>().strength(0.07))
    .alphaDecay(1 - 0.001 ** (1 / turns))
    .stop();
  for (let done = 0; done < turns && !signal.aborted;) {
    const end = performance.now() + turn;
    do simulation.tick();
    while (++done < turns && performance.now() < end);
    onProgress(done / turns);
    await new Promise((next) => setTimeout(next));
  }
  return new Map(bodies.map(({ slug, x = 0, y = 0 }) => [slug, { x, y }]));
}
