// What waits for the person who is signed in.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Person, Trust } from './types';

export interface InboxItem {
  id: string;
  /** Such as "shared"; later servers may know more. */
  kind: string;
  topic: { slug: string; title: string; trust: Trust; trashed?: boolean };
  /** The id of the suggested edit or the confirmation that it is about. */
  about?: string;
  /** Absent where it happened by itself. */
  from?: Person;
  at: string;
  read_at?: string;
}

export const inboxQuery = (workspace: string, unread: boolean) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'inbox', 'items', unread],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      ok<List<InboxItem>>(
        api.GET('/workspaces/{workspace}/inbox', {
          params: {
            path: { workspace },
            query: { unread: unread || undefined, limit: 50, cursor },
          },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  });

/** The largest number that is shown beside Inbox; above it there are "more". */
export const unreadMax = 99;

export const unreadQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'inbox', 'unread'],
    refetchInterval: 60_000,
    queryFn: () =>
      ok<List<InboxItem>>(
        api.GET('/workspaces/{workspace}/inbox', {
          params: { path: { workspace }, query: { unread: true, limit: unreadMax } },
        }),
      ),
  });

export function markItem(workspace: string, item: string, read: boolean) {
  return ok(
    api.POST('/workspaces/{workspace}/inbox/{item}/read', {
      params: { path: { workspace, item } },
      body: { unread: !read || undefined },
    }),
  );
}

/** Marks what was seen, and not what came meanwhile. */
export function markAll(workspace: string, newest: string) {
  return ok(
    api.POST('/workspaces/{workspace}/inbox/read', {
      params: { path: { workspace } },
      body: { newest },
    }),
  );
}
