// Filters that a person saved, in this browser, for a workspace and one of its lists.

import { useLocalStorage } from '@mantine/hooks';
import type { ListSearch } from '../router';

export interface SavedFilter {
  name: string;
  filter: ListSearch;
}

const keys = ['q', 'area', 'tags', 'trust', 'mine'] as const;

/** Whether two filters ask for the same. */
export function same(a: ListSearch, b: ListSearch): boolean {
  return keys.every((key) => JSON.stringify(a[key] ?? null) === JSON.stringify(b[key] ?? null));
}

/** Whether anything is filtered at all. */
export const filters = (filter: ListSearch): boolean => !same(filter, {});

/** The filter with every field, so that those of another are taken away where it has none. */
export const whole = ({ q, area, tags, trust, mine }: ListSearch): ListSearch => ({
  q,
  area,
  tags,
  trust,
  mine,
});

/** What storage holds, as far as it is filters: anybody may have written there. */
export function parse(text: string | undefined): SavedFilter[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(found)) return [];
    return found.filter(
      (one): one is SavedFilter =>
        typeof one === 'object' &&
        one !== null &&
        'name' in one &&
        typeof one.name === 'string' &&
        'filter' in one &&
        typeof one.filter === 'object' &&
        one.filter !== null,
    );
  } catch {
    return [];
  }
}

/** The saved filters, and how to change them. */
export function useSaved(workspace: string, kind: string) {
  return useLocalStorage<SavedFilter[]>({
    key: `driftless-filters-${workspace}-${kind}`,
    defaultValue: [],
    getInitialValueInEffect: false,
    deserialize: parse,
  });
}
