import { expect, it } from 'vitest';
import { noteOf, parts, titleOf } from './cited';

it('splits an answer after its citations, and takes them off the end', () => {
  expect(parts('One thing. [1]\n\nA list:\n\n- two [2]', 2)).toEqual([
    { text: 'One thing.', cites: [1] },
    { text: 'A list:\n\n- two', cites: [2] },
  ]);
});

it('keeps what is inside a paragraph, and numbers that have no source', () => {
  expect(parts('As [2] and [1] say, rows[7]. See [9]', 2)).toEqual([
    { text: 'As [2] and [1] say, rows[7]. See [9]', cites: [1, 2] },
  ]);
});

it('says nothing where nothing was answered', () => {
  expect(parts('', 0)).toEqual([]);
});

it('writes a note that mentions its sources', () => {
  const source = { title: 'A', slug: 'a', revision: 1, trust: 'reviewed', stale: false } as const;
  expect(noteOf('Why?\nHow?', 'So. [1]', [source])).toBe('> Why?\n> How?\n\nSo. [1]\n\n1. [[a]]\n');
});

it('makes a title of at most 120 characters', () => {
  expect(titleOf('  How   long? ')).toBe('How long?');
  expect(titleOf('x'.repeat(200))).toHaveLength(120);
});
