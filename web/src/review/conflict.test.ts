import { describe, expect, it } from 'vitest';
import type { Conflict } from '../api/types';
import { formOf, resolvedText, settled, shown } from './conflict';

const text = {
  title: 'Retries',
  what: 'How we retry.',
  how: '',
  content: 'Knowledge now.',
  decisions: ['one'],
  gotchas: [],
  invariants: [],
  required_checks: [],
  anchors: [],
};
const content: Conflict = {
  path: '/content',
  base: 'Then.',
  current: 'Knowledge now.',
  proposed: 'The edit.',
};
const lines: Conflict = {
  path: '/decisions',
  base: ['a', 'b'],
  current: ['b', 'a'],
  proposed: ['a'],
};

describe('settled', () => {
  it('takes a side, and an absent one as nothing', () => {
    expect(settled(content, { side: 'proposed', written: '' })?.value).toBe('The edit.');
    const removed = { ...content, current: undefined };
    expect(settled(removed, { side: 'current', written: '' })).toEqual({
      path: '/content',
      value: null,
    });
  });

  it('reads what a person wrote in the form of the value', () => {
    expect(settled(content, { side: 'own', written: ' Both. ' })?.value).toBe(' Both. ');
    expect(settled(lines, { side: 'own', written: 'a\n\n b ' })?.value).toEqual(['a', 'b']);
    const other: Conflict = { path: '/x', current: { a: 1 }, proposed: { a: 2 } };
    expect(settled(other, { side: 'own', written: '{"a":3}' })?.value).toEqual({ a: 3 });
    expect(settled(other, { side: 'own', written: '{"a":' })).toBeUndefined();
  });

  it('is open until somebody chooses', () => {
    expect(settled(content, undefined)).toBeUndefined();
  });
});

describe('formOf', () => {
  it('shows items of several lines as JSON', () => {
    const long = { ...lines, proposed: ['a\nb'] };
    expect([formOf(content), formOf(lines), formOf(long)]).toEqual(['text', 'lines', 'json']);
    expect(shown(long.proposed, 'json')).toBe('[\n  "a\\nb"\n]');
  });
});

describe('resolvedText', () => {
  it('has the other changes and the chosen value', () => {
    const changes = [
      { op: 'replace' as const, path: '/content', before: 'Then.', after: 'The edit.' },
      { op: 'add' as const, path: '/decisions/-', after: 'two' },
    ];
    const open = resolvedText(text, changes, [content], []);
    expect(open).toMatchObject({ content: 'Knowledge now.', decisions: ['one', 'two'] });
    const done = resolvedText(text, changes, [content], [{ path: '/content', value: 'Both.' }]);
    expect(done).toMatchObject({ content: 'Both.', decisions: ['one', 'two'] });
  });
});
