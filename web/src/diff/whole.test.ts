import { describe, expect, it } from 'vitest';
import { wholeWords } from './whole';

const shown = (a: string, b: string): [string, string][] =>
  wholeWords(a, b).map((c) => [a.slice(c.fromA, c.toA), b.slice(c.fromB, c.toB)]);

/** The second text, made of the first one and the changes. */
function applied(a: string, b: string): string {
  let text = '';
  let at = 0;
  for (const change of wholeWords(a, b)) {
    text += a.slice(at, change.fromA) + b.slice(change.fromB, change.toB);
    at = change.toA;
  }
  return text + a.slice(at);
}

describe('wholeWords', () => {
  it('changes a number as a whole', () => {
    expect(shown('keeps a key for **72 hours**.', 'keeps a key for **7 days**.')).toEqual([
      ['72 hours', '7 days'],
    ]);
  });

  it('takes a word whose end was added as another word', () => {
    expect(shown('one retry only', 'one retrying only')).toEqual([['retry', 'retrying']]);
  });

  it.each([
    ['', 'new'],
    ['old', ''],
    ['same', 'same'],
    ['abc def', 'abd dxf'],
    ['aaa bbb aaa', 'aab bba aaa b'],
    ['één woord', 'een woorden'],
    ['the cat sat', 'the cart sat on that cat'],
  ])('leads from %j to %j', (a, b) => {
    expect(applied(a, b)).toBe(b);
  });

  it('leads from any text to any other', () => {
    // A small generator of its own keeps the texts the same in each run.
    let seed = 7;
    const next = (n: number): number => (seed = (seed * 16_807) % 2_147_483_647) % n;
    const text = () => Array.from({ length: next(40) }, () => 'abc  .'[next(6)]).join('');
    for (let i = 0; i < 2_000; i++) {
      const [a, b] = [text(), text()];
      expect(applied(a, b)).toBe(b);
    }
  });
});
