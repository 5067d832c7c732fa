import { expect, it } from 'vitest';
import { en } from '../i18n/en';
import { factsOf, groups } from './types';

it('has a text for every kind of event to choose from', () => {
  const without = Object.values(groups)
    .flat()
    .filter((type) => !Object.hasOwn(en, `event.${type}`));
  expect(without).toEqual([]);
});

it('tells what says something, in a fixed order, and no ids or nested values', () => {
  const detail = {
    with: ['018f'],
    outcome: 'failed',
    solution: 'linux',
    reason: '',
    comment: '018f',
    revision: 3,
  };
  expect(factsOf(detail)).toEqual([
    ['solution', 'linux'],
    ['outcome', 'failed'],
  ]);
});
