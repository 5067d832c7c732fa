/** The folders that lead to a path, each with its own: `a/b` is reached by `a` and then `a/b`. */
export function steps(path: string): { name: string; path: string }[] {
  const names = path.split('/').filter(Boolean);
  return names.map((name, i) => ({ name, path: names.slice(0, i + 1).join('/') }));
}

/** How many in a hundred, as bars are drawn. Nothing of nothing is nothing. */
export function percent(part: number, whole: number): number {
  return whole > 0 ? Math.round((1000 * part) / whole) / 10 : 0;
}
