import { expect, it } from 'vitest';
import { dayOf, endOf } from './days';

it('ends on the day that was chosen, where the reader is', () => {
  const end = new Date(endOf('2027-03-05'));
  expect(dayOf(end)).toBe('2027-03-05');
  expect(dayOf(new Date(end.getTime() + 1_000))).toBe('2027-03-06');
});
