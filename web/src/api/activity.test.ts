import { expect, it } from 'vitest';
import { eventsAfter, withNews, type Happening } from './activity';

const event = (seq: number): Happening => ({
  id: String(seq),
  seq,
  type: 'topic.created',
  at: '2026-01-01T00:00:00Z',
  via: 'console',
  detail: {},
});

const page = (...seqs: number[]) => ({
  shown: seqs.length,
  has_more: false,
  results: seqs.map(event),
});

it('puts an entry on top, once', () => {
  const known = { pages: [page(5, 4), page(3)], pageParams: [undefined, 'next'] };
  const more = withNews(known, event(6));
  expect(more?.pages.map(({ results }) => results.map(({ seq }) => seq))).toEqual([[6, 5, 4], [3]]);
  expect(withNews(more, event(6))).toBe(more);
  expect(withNews(undefined, event(6))).toBeUndefined();
});

it('asks for what comes after an entry, as it was filtered', () => {
  expect(eventsAfter('acme', { types: ['a.b', 'c.d'], topic: 'x-y' }, 7)).toBe(
    '/api/v1/workspaces/acme/events/stream?after=7&topic=x-y&types=a.b%2Cc.d',
  );
});
