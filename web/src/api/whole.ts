import type { List } from './types';

/** Reads a list to its end, page by page; `onRows` is told of each. */
export async function whole<Row>(
  page: (cursor?: string) => Promise<List<Row>>,
  onRows?: (rows: Row[]) => void,
): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | undefined;
  do {
    const { results, has_more, next_cursor } = await page(cursor);
    all.push(...results);
    onRows?.(results);
    cursor = has_more ? next_cursor : undefined;
  } while (cursor);
  return all;
}
