import { expect, it } from 'vitest';
import { lineOf } from './line';

it('goes from the first to the last, with nought at the foot', () => {
  const points = [
    { at: 0, n: 0 },
    { at: 50, n: 4 },
    { at: 100, n: 2 },
  ];
  expect(lineOf(points, 200, 34)).toBe('M0.0 32.0L100.0 2.0L200.0 17.0');
});

it('is level where nothing happens, and nothing without counts', () => {
  expect(lineOf([{ at: 5, n: 0 }], 200, 32)).toBe('M0.0 30.0');
  expect(lineOf([], 200, 32)).toBe('');
});
