// What happened in a workspace.

import { infiniteQueryOptions, queryOptions, type InfiniteData } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Person } from './types';

export interface Happening {
  id: string;
  /** Its place in the log of the workspace. */
  seq: number;
  /** Such as "topic.approved". */
  type: string;
  /** The slug of the topic that it is about. */
  topic?: string;
  at: string;
  by?: Person;
  via: string;
  client?: string;
  detail: Record<string, unknown>;
}

export interface ActivityFilter {
  types?: string[];
  topic?: string;
}

export const activityQuery = (workspace: string, { types, topic }: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'events', types, topic],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      ok<List<Happening>>(
        api.GET('/workspaces/{workspace}/events', {
          params: { path: { workspace }, query: { types, topic, limit: 50, cursor } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The place of the newest entry of the log when a page was opened; 0 when there is none. */
export const newestQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['newest', workspace],
    gcTime: 0,
    staleTime: Infinity,
    async queryFn() {
      const page = await ok<List<Happening>>(
        api.GET('/workspaces/{workspace}/events', {
          params: { path: { workspace }, query: { limit: 1 } },
        }),
      );
      return page.results[0]?.seq ?? 0;
    },
  });

/** The address of the stream of what comes after an entry. */
export function eventsAfter(workspace: string, filter: ActivityFilter, after: number): string {
  const search = new URLSearchParams({ after: String(after) });
  if (filter.topic) search.set('topic', filter.topic);
  if (filter.types?.length) search.set('types', filter.types.join(','));
  return `/api/v1/workspaces/${encodeURIComponent(workspace)}/events/stream?${search.toString()}`;
}

type Pages = InfiniteData<List<Happening>>;

/** What is known with one more entry at its top, unless it is there already. */
export function withNews(known: Pages | undefined, event: Happening): Pages | undefined {
  const [first, ...others] = known?.pages ?? [];
  if (!known || !first || first.results.some((row) => row.seq >= event.seq)) return known;
  return { ...known, pages: [{ ...first, results: [event, ...first.results] }, ...others] };
}

export interface Chain {
  entries: number;
  whole: boolean;
  /** The hash of the last entry, in hexadecimal digits. */
  head: string;
}

/** Walks the log from its beginning; a broken one is a problem that names the first bad entry. */
export function verifyChain(workspace: string) {
  return ok<Chain>(
    api.GET('/workspaces/{workspace}/audit/verify', { params: { path: { workspace } } }),
  );
}
