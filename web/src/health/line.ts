/** A count at a moment, in milliseconds. */
export interface Point {
  at: number;
  n: number;
}

/** The path of a line through counts, over time, in a picture of this size; nought is its foot. */
export function lineOf(points: readonly Point[], width: number, height: number): string {
  const [first] = points;
  const last = points.at(-1);
  if (!first || !last) return '';
  const span = last.at - first.at || 1;
  const most = Math.max(1, ...points.map(({ n }) => n));
  // A line is as thick above its middle as below it.
  const edge = 2;
  return points
    .map(({ at, n }, i) => {
      const x = ((at - first.at) / span) * width;
      const y = height - edge - (n / most) * (height - 2 * edge);
      return `${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}
