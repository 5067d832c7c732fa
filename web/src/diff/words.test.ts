import { describe, expect, it } from 'vitest';
import { wordDiff } from './words';

describe('wordDiff', () => {
  it('marks the words that changed', () => {
    expect(wordDiff('It fails three times.', 'It fails five times.')).toEqual([
      { kind: 'same', text: 'It fails ' },
      { kind: 'removed', text: 'three' },
      { kind: 'added', text: 'five' },
      { kind: 'same', text: ' times.' },
    ]);
  });

  it('replaces the whole when little of it stayed', () => {
    const parts = wordDiff('Outgoing calls retry three times.', 'Balances are sums of entries.');
    expect(parts.map((part) => part.kind)).toEqual(['removed', 'added']);
  });

  it('loses no character of either side', () => {
    const [before, after] = ['a  b\nc d', 'a b\n\nc e'];
    const parts = wordDiff(before, after);
    const side = (skip: string) =>
      parts
        .filter((p) => p.kind !== skip)
        .map((p) => p.text)
        .join('');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });
});
