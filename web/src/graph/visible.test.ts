import { expect, it } from 'vitest';
import type { WholeGraph } from '../api/graph';
import { trusts, visible } from './visible';

const graph: WholeGraph = {
  truncated: false,
  nodes: [
    { slug: 'a', title: 'Alpha', trust: 'reviewed', area: 'Pay' },
    { slug: 'b', title: 'Beta', trust: 'proposed' },
    { slug: 'c', title: 'Gamma', trust: 'reviewed', stale: true },
    { slug: 'd', title: 'Delta', trust: 'reviewed', stale: false, superseded: true },
  ],
  edges: [
    { from: 'a', type: 'depends_on', to: 'c' },
    { from: 'c', type: 'mention', to: 'd' },
    { from: 'b', type: 'blocks', to: 'a' },
  ],
};
const all = { words: '', trust: trusts, care: false, types: [] };
const slugs = (wanted: Partial<typeof all>) =>
  visible(graph, { ...all, ...wanted }).nodes.map(({ slug }) => slug);

it('puts the best connected topics first', () => {
  expect(slugs({})).toEqual(['a', 'c', 'b', 'd']);
});

it('takes edges along with the topics at their ends', () => {
  const { nodes, edges } = visible(graph, { ...all, trust: ['reviewed'] });
  expect(nodes).toHaveLength(3);
  expect(edges.map(({ type }) => type)).toEqual(['depends_on', 'mention']);
});

it('finds all words in title, slug and area', () => {
  expect(slugs({ words: 'alp pay' })).toEqual(['a']);
  expect(slugs({ words: 'alp nowhere' })).toEqual([]);
});

it('shows what drifted or was superseded', () => {
  expect(slugs({ care: true })).toEqual(['d', 'c']);
});

it('keeps all topics when edges are chosen by type', () => {
  const { nodes, edges } = visible(graph, { ...all, types: ['blocks'] as never[] });
  expect(nodes).toHaveLength(4);
  expect(edges).toEqual([{ from: 'b', type: 'blocks', to: 'a' }]);
});
