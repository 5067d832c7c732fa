import { describe, expect, it } from 'vitest';
import type { Area, Drifted, Proposal } from '../api/types';
import {
  initialQueue,
  intentOf,
  kept,
  keyOf,
  queueReducer,
  ranked,
  rankedDrift,
  type QueueState,
} from './queue';

const queue = (notes: string[], edits: string[] = []) => ({ notes, edits, drift: [] });

const loaded = (...notes: string[]): QueueState =>
  queueReducer(initialQueue(), { type: 'loaded', queue: queue(notes) });

const here = (state: QueueState) => state.at[state.lane].key;

describe('queueReducer', () => {
  it('starts at the first item, or at the one the address names', () => {
    expect(here(loaded('a', 'b'))).toBe('a');
    const named = queueReducer(initialQueue('notes', 'b'), {
      type: 'loaded',
      queue: queue(['a', 'b']),
    });
    expect(here(named)).toBe('b');
  });

  it('moves within the lane and stops at its ends', () => {
    let state = loaded('a', 'b');
    state = queueReducer(state, { type: 'previous' });
    expect(here(state)).toBe('a');
    for (let i = 0; i < 3; i++) state = queueReducer(state, { type: 'next' });
    expect(here(state)).toBe('b');
  });

  it('lets the next item move up when the one looked at was decided', () => {
    const state = queueReducer(loaded('a', 'b', 'c'), { type: 'next' });
    expect(here(queueReducer(state, { type: 'loaded', queue: queue(['a', 'c']) }))).toBe('c');
    expect(here(queueReducer(state, { type: 'loaded', queue: queue(['a']) }))).toBe('a');
    expect(here(queueReducer(state, { type: 'loaded', queue: queue([]) }))).toBeUndefined();
  });

  it('follows its item when new ones arrive above it', () => {
    const state = queueReducer(loaded('a', 'b'), { type: 'next' });
    const next = queueReducer(state, { type: 'loaded', queue: queue(['new', 'a', 'b']) });
    expect(here(next)).toBe('b');
    expect(next.at.notes.index).toBe(2);
  });

  it('keeps a place in every lane', () => {
    let state = queueReducer(initialQueue(), {
      type: 'loaded',
      queue: queue(['a', 'b'], ['edit:1', 'edit:2']),
    });
    state = queueReducer(state, { type: 'next' });
    state = queueReducer(state, { type: 'lane', lane: 'edits' });
    expect(here(state)).toBe('edit:1');
    expect(here(queueReducer(state, { type: 'lane', lane: 'notes' }))).toBe('b');
  });

  it('picks the item looked at, or any of the lane, and puts it back', () => {
    let state = queueReducer(loaded('a', 'b', 'c'), { type: 'pick' });
    state = queueReducer(state, { type: 'pick', key: 'c' });
    expect(state.picked).toEqual(['a', 'c']);
    state = queueReducer(state, { type: 'pick' });
    expect(state.picked).toEqual(['c']);
    expect(queueReducer(state, { type: 'pick', key: 'z' })).toBe(state);
    expect(queueReducer(state, { type: 'pick_all' }).picked).toEqual(['a', 'b', 'c']);
    expect(queueReducer(state, { type: 'pick_none' }).picked).toEqual([]);
  });

  it('forgets what was picked when it was decided or another lane is shown', () => {
    const state = queueReducer(loaded('a', 'b', 'c'), { type: 'pick_all' });
    const fewer = queueReducer(state, { type: 'loaded', queue: queue(['c', 'new'], ['edit:1']) });
    expect(fewer.picked).toEqual(['c']);
    expect(queueReducer(fewer, { type: 'lane', lane: 'edits' }).picked).toEqual([]);
    expect(queueReducer(fewer, { type: 'lane', lane: 'notes' })).toBe(fewer);
  });

  it('ignores a selection that is not in the lane', () => {
    const state = loaded('a');
    expect(queueReducer(state, { type: 'select', key: 'z' })).toBe(state);
  });
});

describe('intentOf', () => {
  const press = (key: string, over = {}) =>
    intentOf({
      key,
      ctrlKey: false,
      metaKey: false,
      altKey: false,
      repeat: false,
      typing: false,
      ...over,
    });

  it('reads the keys of the help sheet', () => {
    expect(['j', 'k', 'a', 'r', 'x', 'e', 'c', '?'].map((key) => press(key))).toEqual([
      'next',
      'previous',
      'approve',
      'request_changes',
      'reject',
      'edit',
      'comment',
      'help',
    ]);
  });

  it('leaves typing and the browser’s own shortcuts alone', () => {
    expect(press('a', { typing: true })).toBeUndefined();
    expect(press('r', { ctrlKey: true })).toBeUndefined();
    expect(press('a', { metaKey: true })).toBeUndefined();
    expect(press('constructor')).toBeUndefined();
  });

  it('moves but never decides while a key is held', () => {
    expect(press('j', { repeat: true })).toBe('next');
    expect(press('a', { repeat: true })).toBeUndefined();
  });
});

describe('ranked', () => {
  const proposal = (slug: string, over: Partial<Proposal> = {}): Proposal => ({
    kind: 'note',
    slug,
    title: slug,
    what: '',
    tags: [],
    revision: 1,
    content_hash: '',
    author: { name: 'A' },
    via: 'mcp',
    proposed_at: '2026-01-02T00:00:00Z',
    review: { state: 'waiting' },
    content_warnings: [],
    changes: [],
    ...over,
  });

  it('puts warnings first, then the oldest, and what was sent back last', () => {
    const order = ranked([
      proposal('back', {
        review: { state: 'changes_requested' },
        proposed_at: '2025-01-01T00:00:00Z',
      }),
      proposal('young'),
      proposal('old', { proposed_at: '2026-01-01T00:00:00Z' }),
      proposal('risky', {
        content_warnings: [{ kind: 'instruction', excerpt: 'ignore' }],
        proposed_at: '2026-02-01T00:00:00Z',
      }),
    ]);
    expect(order.map((p) => p.slug)).toEqual(['risky', 'old', 'young', 'back']);
  });

  it('tells a note from a suggested edit of the same topic', () => {
    expect(keyOf(proposal('a'))).not.toBe(keyOf(proposal('a', { kind: 'edit', proposal: '1' })));
  });
});

describe('rankedDrift', () => {
  it('puts what is gone first, then what stood longest', () => {
    const row = (
      slug: string,
      drift_state: Drifted['drift_state'],
      updated_at: string,
    ): Drifted => ({
      kind: 'drift',
      slug,
      title: slug,
      what: '',
      trust: 'reviewed',
      status: 'reviewed',
      is_private: false,
      tags: [],
      revision: 1,
      stale: true,
      drift_state,
      updated_at,
    });
    const order = rankedDrift([
      row('young', 'review', '2026-03-01T00:00:00Z'),
      row('old', 'review', '2026-01-01T00:00:00Z'),
      row('gone', 'broken', '2026-06-01T00:00:00Z'),
    ]);
    expect(order.map(keyOf)).toEqual(['drift:gone', 'drift:old', 'drift:young']);
  });
});

describe('kept', () => {
  const areas: Area[] = [
    { name: 'payments', reviewers: ['ana@example.test'], count: 1 },
    { name: 'search', reviewers: [], count: 1 },
  ];
  const shown = (filter: Parameters<typeof kept>[0]) =>
    [{ area: 'payments' }, { area: 'search' }, {}].filter(kept(filter, areas)).length;

  it('keeps all without a filter, and otherwise the area or the areas of a reviewer', () => {
    expect(shown({})).toBe(3);
    expect(shown({ area: 'search' })).toBe(1);
    expect(shown({ reviewer: 'ana@example.test' })).toBe(1);
    expect(shown({ reviewer: 'nobody@example.test' })).toBe(0);
    expect(shown({ area: 'search', reviewer: 'ana@example.test' })).toBe(0);
  });
});
