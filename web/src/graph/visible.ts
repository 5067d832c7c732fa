import type { Edge, Spot, WholeGraph } from '../api/graph';
import type { Trust } from '../api/types';

/** How far texts can be trusted, the most first. */
export const trusts: readonly Trust[] = ['reviewed', 'proposed', 'draft'];

export interface Wanted {
  /** Each of them stands in the title, the slug or the area. */
  words: string;
  trust: readonly Trust[];
  /** Only what drifted or was superseded. */
  care: boolean;
  /** Types of edges; none means all. */
  types: readonly string[];
}

export interface Shown {
  nodes: Spot[];
  edges: Edge[];
  /** Edges of each topic, by slug. */
  degree: ReadonlyMap<string, number>;
}

/** What of a graph is wanted; edges go with the topics at their ends. The best connected topics come first. */
export function visible({ nodes, edges }: WholeGraph, wanted: Wanted): Shown {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = nodes.filter((node) => {
    const text = `${node.title} ${node.slug} ${node.area ?? ''}`.toLowerCase();
    return (
      wanted.trust.includes(node.trust) &&
      (!wanted.care || node.stale === true || node.superseded === true) &&
      words.every((word) => text.includes(word))
    );
  });
  const there = new Set(kept.map(({ slug }) => slug));
  const between = edges.filter(
    ({ from, to, type }) =>
      there.has(from) &&
      there.has(to) &&
      (wanted.types.length === 0 || wanted.types.includes(type)),
  );
  const degree = new Map<string, number>();
  for (const { from, to } of between) {
    degree.set(from, (degree.get(from) ?? 0) + 1);
    degree.set(to, (degree.get(to) ?? 0) + 1);
  }
  const { compare } = new Intl.Collator();
  kept.sort(
    (a, b) => (degree.get(b.slug) ?? 0) - (degree.get(a.slug) ?? 0) || compare(a.title, b.title),
  );
  return { nodes: kept, edges: between, degree };
}
