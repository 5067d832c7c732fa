import { expect, it } from 'vitest';
import { percent, steps } from './paths';

it('leads to a folder through those above it', () => {
  expect(steps('src/pay/api')).toEqual([
    { name: 'src', path: 'src' },
    { name: 'pay', path: 'src/pay' },
    { name: 'api', path: 'src/pay/api' },
  ]);
  expect(steps('')).toEqual([]);
});

it('draws nothing where there are no files', () => {
  expect(percent(0, 0)).toBe(0);
  expect(percent(1, 3)).toBe(33.3);
});
