import { expect, it } from 'vitest';
import { treemap } from './treemap';

const area = ({ width, height }: { width: number; height: number }) => width * height;

it('gives each its share of the whole, and leaves no room', () => {
  const boxes = treemap([6, 6, 4, 3, 2, 2, 1], (n) => n, 3);
  expect(boxes.map(({ item }) => item)).toEqual([6, 6, 4, 3, 2, 2, 1]);
  for (const box of boxes) expect(area(box)).toBeCloseTo((10_000 * box.item) / 24, 6);
});

it('overlaps nowhere and stays inside', () => {
  const boxes = treemap([9, 7, 5, 5, 3, 1, 1], (n) => n, 2);
  for (const [i, a] of boxes.entries()) {
    expect(a.x).toBeGreaterThanOrEqual(-1e-9);
    expect(a.x + a.width).toBeLessThanOrEqual(100 + 1e-9);
    expect(a.y + a.height).toBeLessThanOrEqual(100 + 1e-9);
    for (const b of boxes.slice(i + 1)) {
      const wide = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
      const tall = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
      expect(Math.min(wide, tall)).toBeLessThanOrEqual(1e-6);
    }
  }
});

it('leaves out what has no size', () => {
  expect(treemap([0, 2], (n) => n, 1)).toHaveLength(1);
  expect(treemap([], (n: number) => n, 1)).toEqual([]);
});
