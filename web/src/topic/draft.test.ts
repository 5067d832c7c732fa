import { describe, expect, it } from 'vitest';
import { isEmptyUpdate, updateOf, type Draft } from './draft';

const base: Draft = {
  title: 'Retries',
  what: 'How we retry.',
  how: '',
  content: 'Use backoff.',
  decisions: ['one'],
  gotchas: [],
  invariants: [],
  required_checks: [],
  anchors: ['a/**', 'b/**'],
  area: '',
  tags: ['net'],
};

describe('updateOf', () => {
  it('asks for nothing when nothing changed but the summary', () => {
    expect(isEmptyUpdate(updateOf(base, { ...base }, 3, 'why'))).toBe(true);
    expect(isEmptyUpdate(updateOf(base, { ...base, gotchas: [' '] }, 3, ''))).toBe(true);
  });

  it('sends the changed fields and the base', () => {
    const draft = {
      ...base,
      content: 'Use jitter.',
      decisions: ['one', ' two '],
      area: 'Platform',
    };
    expect(updateOf(base, draft, 3, ' clearer ')).toEqual({
      base_revision: 3,
      content: 'Use jitter.',
      decisions: ['one', 'two'],
      area: 'Platform',
      summary: 'clearer',
    });
  });

  it('adds and removes anchors one by one', () => {
    expect(updateOf(base, { ...base, anchors: ['b/**', 'c.go'] }, 1, '')).toEqual({
      base_revision: 1,
      add_anchors: ['c.go'],
      remove_anchors: ['a/**'],
    });
  });
});
