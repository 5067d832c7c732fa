import { describe, expect, it } from 'vitest';
import type { Change, TopicText } from '../api/types';
import { changesByField, listDiff, pointer, textDiff, withChanges } from './fields';
import { mergeText } from './merge';

const text = (over: Partial<TopicText> = {}): TopicText => ({
  title: 'Retries',
  what: 'How we retry.',
  how: '',
  content: 'Use backoff.',
  decisions: ['one', 'two', 'three'],
  gotchas: [],
  invariants: [],
  required_checks: [],
  anchors: ['internal/retry/**'],
  ...over,
});

describe('pointer', () => {
  it('unescapes in the order RFC 6901 asks for', () => {
    expect(pointer('/a~1b/~01')).toEqual(['a/b', '~1']);
    expect(pointer('/decisions/-')).toEqual(['decisions', '-']);
  });
});

describe('listDiff', () => {
  it('keeps what both have and names what came and went', () => {
    expect(listDiff(['a', 'b', 'c'], ['a', 'c', 'd'])).toEqual([
      { kind: 'same', before: 'a', after: 'a' },
      { kind: 'removed', before: 'b', after: '' },
      { kind: 'same', before: 'c', after: 'c' },
      { kind: 'added', before: '', after: 'd' },
    ]);
  });

  it('reads a replaced item as reworded', () => {
    expect(listDiff(['a', 'b'], ['a', 'B'])[1]).toEqual({
      kind: 'changed',
      before: 'b',
      after: 'B',
    });
  });

  it('copes with empty items and repeated ones', () => {
    expect(listDiff(['', 'a', 'a'], ['a', '']).filter((i) => i.kind === 'same')).toHaveLength(1);
    expect(listDiff([], [])).toEqual([]);
  });
});

describe('textDiff', () => {
  it('is empty for equal texts', () => {
    expect(textDiff(text(), text())).toEqual([]);
  });

  it('lists fields in reading order', () => {
    const diffs = textDiff(text(), text({ anchors: [], title: 'Retry', gotchas: ['x'] }));
    expect(diffs.map((d) => d.field)).toEqual(['title', 'gotchas', 'anchors']);
  });

  it('calls everything new when there is no earlier text', () => {
    const title = textDiff(null, text())[0];
    expect(title).toMatchObject({ field: 'title', before: '', after: 'Retries' });
  });
});

describe('changesByField', () => {
  it('gathers the items of a list under one field', () => {
    const changes: Change[] = [
      { op: 'add', path: '/decisions/-', after: 'four' },
      { op: 'replace', path: '/content', before: 'a', after: 'b' },
      { op: 'remove', path: '/decisions/0', before: 'one' },
    ];
    expect(changesByField(changes)).toEqual([
      { field: 'content', kind: 'text', before: 'a', after: 'b' },
      {
        field: 'decisions',
        kind: 'list',
        items: [
          { kind: 'added', before: '', after: 'four' },
          { kind: 'removed', before: 'one', after: '' },
        ],
      },
    ]);
  });

  it('shows values that are not text as JSON and keeps unknown fields last', () => {
    const diffs = changesByField([
      { op: 'add', path: '/solutions/0', after: { fix: 'x' } },
      { op: 'set', path: '/title', before: 'a', after: 'b' },
    ]);
    expect(diffs.map((d) => d.field)).toEqual(['title', 'solutions']);
  });
});

describe('withChanges', () => {
  it('leaves the original alone', () => {
    const before = text();
    withChanges(before, [{ op: 'remove', path: '/decisions/0', before: 'one' }]);
    expect(before).toEqual(text());
  });

  it('finds items by their earlier words when the index moved', () => {
    const changes: Change[] = [
      { op: 'replace', path: '/decisions/0', before: 'two', after: 'TWO' },
      { op: 'remove', path: '/decisions/0', before: 'one' },
      { op: 'remove', path: '/decisions/2', before: 'not there' },
      { op: 'add', path: '/decisions/-', after: 'four' },
    ];
    expect(withChanges(text(), changes).decisions).toEqual(['TWO', 'three', 'four']);
  });

  it('sets whole fields', () => {
    const next = withChanges(text(), [
      { op: 'set', path: '/content', before: 'Use backoff.', after: 'Use jitter.' },
      { op: 'set', path: '/anchors', before: [], after: ['a', 'b'] },
      { op: 'remove', path: '/what', before: 'How we retry.' },
    ]);
    expect(next).toMatchObject({ content: 'Use jitter.', anchors: ['a', 'b'], what: '' });
  });
});

describe('mergeText', () => {
  it('takes what only the other side changed and keeps what only I changed', () => {
    const merge = mergeText(text(), text({ how: 'mine' }), text({ what: 'theirs' }));
    expect(merge.conflicts).toEqual([]);
    expect(merge.taken).toEqual(['what']);
    expect(merge.text).toEqual(text({ how: 'mine', what: 'theirs' }));
  });

  it('reports a field that both changed and keeps mine until a person decides', () => {
    const merge = mergeText(text(), text({ content: 'mine' }), text({ content: 'theirs' }));
    expect(merge.conflicts).toEqual(['content']);
    expect(merge.text.content).toBe('mine');
  });

  it('sees no conflict where both made the same change', () => {
    const merge = mergeText(text(), text({ gotchas: ['x'] }), text({ gotchas: ['x'] }));
    expect(merge).toMatchObject({ conflicts: [], taken: [] });
  });
});
