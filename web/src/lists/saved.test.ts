import { expect, it } from 'vitest';
import { filters, parse, same, whole } from './saved';

it('knows the same filter by what it asks for', () => {
  expect(same({ q: 'a', tags: ['x'] }, { tags: ['x'], q: 'a', area: undefined })).toBe(true);
  expect(same({ tags: ['x'] }, { tags: ['y'] })).toBe(false);
  expect(filters({ mine: undefined })).toBe(false);
  expect(filters({ mine: true })).toBe(true);
});

it('takes fields away that a filter does not have', () => {
  expect({ q: 'a', area: 'b', ...whole({ area: 'c' }) }).toEqual({
    q: undefined,
    area: 'c',
    tags: undefined,
    trust: undefined,
    mine: undefined,
  });
});

it('takes nothing from storage that is no filter', () => {
  const kept = { name: 'Mine', filter: { mine: true } };
  expect(parse(JSON.stringify([kept, 3, { name: 'x' }, null]))).toEqual([kept]);
  expect(parse('{')).toEqual([]);
  expect(parse('{"a":1}')).toEqual([]);
  expect(parse(undefined)).toEqual([]);
});
