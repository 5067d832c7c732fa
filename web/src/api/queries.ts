// The reads of the console, one query each. Keys start with the workspace, so
// that a write can refresh everything it may have touched at once.

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, ok, setCsrfToken } from './client';
import { hasCode } from './problem';
import type {
  ApiKey,
  Area,
  Comment,
  CommentSubject,
  ConsentRequest,
  DeviceRequest,
  Drifted,
  Graph,
  Invitation,
  List,
  Relations,
  SearchHit,
  Session,
  SimilarTopic,
  Status,
  Tag,
  TopicSummary,
} from './types';
import {
  confirmationOf,
  proposalOf,
  revisionOf,
  topicOf,
  type WireConfirmation,
  type WireProposal,
  type WireRevision,
  type WireTopic,
} from './wire';

function rowsOf<Wire, Row>(list: List<Wire>, row: (wire: Wire) => Row): List<Row> {
  return { ...list, results: list.results.map(row) };
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Infinity,
  retry: false,
  async queryFn(): Promise<Session | null> {
    try {
      const session = await ok<Session>(api.GET('/session'));
      setCsrfToken(session.csrf_token);
      return session;
    } catch (error) {
      if (hasCode(error, 'UNAUTHENTICATED') || isUnauthorized(error)) return null;
      throw error;
    }
  },
});

function isUnauthorized(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'status' in error && error.status === 401;
}

// A queue is read whole, so that its order and its counts are those of all that waits; this many rows at most.
const queueMax = 1000;

/** All pages of a list, one after the other; `has_more` is left where the list is longer than a queue may be. */
async function everyPage<Row>(page: (cursor?: string) => Promise<List<Row>>): Promise<List<Row>> {
  const all = await page();
  while (all.next_cursor && all.results.length < queueMax) {
    const next = await page(all.next_cursor);
    all.results.push(...next.results);
    all.has_more = next.has_more;
    all.next_cursor = next.next_cursor;
  }
  return { ...all, shown: all.results.length };
}

export const proposalsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'proposals'],
    queryFn: async () =>
      rowsOf(
        await everyPage((cursor) =>
          ok<List<WireProposal>>(
            api.GET('/workspaces/{workspace}/proposals', {
              params: { path: { workspace }, query: { kind: 'all', limit: 100, cursor } },
            }),
          ),
        ),
        proposalOf,
      ),
  });

/** Knowledge in doubt: what it is anchored to changed too much, or is gone. */
export const driftedQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'drifted'],
    queryFn: async () =>
      rowsOf(
        await everyPage((cursor) =>
          ok<List<TopicSummary>>(
            api.GET('/workspaces/{workspace}/topics', {
              params: {
                path: { workspace },
                query: { status: 'reviewed', stale: true, limit: 200, cursor },
              },
            }),
          ),
        ),
        (row): Drifted => ({ ...row, tags: row.tags ?? [], kind: 'drift' }),
      ),
  });

export interface Waiting {
  notes: number;
  edits: number;
  drift: number;
  /** There are more than were counted. */
  more: boolean;
}

/** How much waits in each lane, counted on the first page of each: every page of the console shows it. */
export const waitingQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'waiting'],
    async queryFn(): Promise<Waiting> {
      const path = { workspace };
      const [proposals, drifted] = await Promise.all([
        ok<List<WireProposal>>(
          api.GET('/workspaces/{workspace}/proposals', {
            params: { path, query: { kind: 'all', limit: 100 } },
          }),
        ),
        ok<List<TopicSummary>>(
          api.GET('/workspaces/{workspace}/topics', {
            params: { path, query: { status: 'reviewed', stale: true, limit: 200 } },
          }),
        ),
      ]);
      const edits = proposals.results.filter(({ kind }) => kind === 'edit').length;
      return {
        notes: proposals.results.length - edits,
        edits,
        drift: drifted.results.length,
        more: proposals.has_more || drifted.has_more,
      };
    },
  });

export const topicQuery = (workspace: string, topic: string, revision?: number) =>
  queryOptions({
    queryKey: [workspace, 'topic', topic, revision ?? 'current'],
    queryFn: async () =>
      topicOf(
        await ok<WireTopic>(
          api.GET('/workspaces/{workspace}/topics/{topic}', {
            params: { path: { workspace, topic }, query: { view: 'full', revision } },
          }),
        ),
      ),
  });

/** A topic as it is shown for a decision: it stays so while the decision is open, whatever happens meanwhile. */
export const shownQuery = (workspace: string, topic: string) =>
  queryOptions({
    ...topicQuery(workspace, topic),
    queryKey: ['shown', workspace, topic],
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const relationsQuery = (workspace: string, topic: string) =>
  queryOptions({
    queryKey: [workspace, 'relations', topic],
    queryFn: () =>
      ok<Relations>(
        api.GET('/workspaces/{workspace}/topics/{topic}/relations', {
          params: { path: { workspace, topic } },
        }),
      ),
  });

/** What looks as if it said the same as a topic, or as what a suggested edit would make of it. */
export const similarQuery = (workspace: string, topic: string, proposal?: string) =>
  queryOptions({
    queryKey: [workspace, 'similar', topic, proposal],
    queryFn: () =>
      ok<{ similar: SimilarTopic[] }>(
        api.GET('/workspaces/{workspace}/topics/{topic}/similar', {
          params: { path: { workspace, topic }, query: { proposal } },
        }),
      ),
  });

export const graphQuery = (workspace: string, topic: string) =>
  queryOptions({
    queryKey: [workspace, 'graph', topic],
    queryFn: () =>
      ok<Graph>(
        api.GET('/workspaces/{workspace}/topics/{topic}/graph', {
          params: { path: { workspace, topic }, query: { depth: 2 } },
        }),
      ),
  });

export const historyQuery = (workspace: string, topic: string) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'history', topic],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor }) =>
      rowsOf(
        await ok<List<WireRevision>>(
          api.GET('/workspaces/{workspace}/topics/{topic}/history', {
            params: { path: { workspace, topic }, query: { limit: 20, cursor } },
          }),
        ),
        revisionOf,
      ),
    getNextPageParam: (page) => page.next_cursor,
  });

export const commentsQuery = (workspace: string, subject: CommentSubject) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'comments', subject],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor }) =>
      ok<List<Comment>>(
        api.GET('/workspaces/{workspace}/comments', {
          params: { path: { workspace }, query: { ...subject, limit: 100, cursor } },
        }),
      ),
    getNextPageParam: (page) => page.next_cursor,
  });

export interface ListFilter {
  query: string;
  status: Status;
  area?: string;
  tags?: string[];
  mine?: boolean;
}

/** Topics of a status: searched when there is a query, otherwise listed. */
export const topicsQuery = (workspace: string, filter: ListFilter) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'topics', filter],
    initialPageParam: undefined as string | undefined,
    async queryFn({ pageParam: cursor }) {
      const { query, status, area, mine } = filter;
      const tags = filter.tags?.length ? filter.tags : undefined;
      const path = { workspace };
      if (query) {
        return ok<List<TopicSummary | SearchHit>>(
          api.GET('/workspaces/{workspace}/search', {
            params: { path, query: { query, prefix: true, status, area, tags, limit: 20, cursor } },
          }),
        );
      }
      return ok<List<TopicSummary | SearchHit>>(
        api.GET('/workspaces/{workspace}/topics', {
          params: {
            path,
            query: { status, area, tags, mine: mine || undefined, limit: 40, cursor },
          },
        }),
      );
    },
    getNextPageParam: (page) => page.next_cursor,
  });

export const paletteQuery = (workspace: string, query: string) =>
  queryOptions({
    queryKey: [workspace, 'palette', query],
    enabled: query.length > 0,
    queryFn: () =>
      ok<List<TopicSummary | SearchHit>>(
        api.GET('/workspaces/{workspace}/search', {
          params: { path: { workspace }, query: { query, prefix: true, limit: 8 } },
        }),
      ),
  });

export const areasQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'areas'],
    staleTime: 60_000,
    queryFn: () =>
      ok<List<Area>>(api.GET('/workspaces/{workspace}/areas', { params: { path: { workspace } } })),
  });

export const tagsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'tags'],
    staleTime: 60_000,
    queryFn: () =>
      ok<List<Tag>>(api.GET('/workspaces/{workspace}/tags', { params: { path: { workspace } } })),
  });

export const keysQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'keys'],
    queryFn: () =>
      ok<List<ApiKey>>(
        api.GET('/workspaces/{workspace}/keys', { params: { path: { workspace } } }),
      ),
  });

export const consentQuery = (id: string) =>
  queryOptions({
    queryKey: ['consent', id],
    retry: false,
    staleTime: Infinity,
    queryFn: () =>
      ok<ConsentRequest>(api.GET('/oauth/requests/{id}', { params: { path: { id } } })),
  });

export const deviceQuery = (user_code: string) =>
  queryOptions({
    queryKey: ['device', user_code],
    retry: false,
    staleTime: Infinity,
    queryFn: () =>
      ok<DeviceRequest>(api.GET('/oauth/device/{user_code}', { params: { path: { user_code } } })),
  });

export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    retry: false,
    staleTime: Infinity,
    queryFn: () => ok<Invitation>(api.GET('/invitations/{token}', { params: { path: { token } } })),
  });

export const confirmationQuery = (id: string) =>
  queryOptions({
    queryKey: ['confirmation', id],
    retry: false,
    queryFn: async () =>
      confirmationOf(
        await ok<WireConfirmation>(api.GET('/confirmations/{id}', { params: { path: { id } } })),
      ),
  });

export const setupQuery = (token: string) =>
  queryOptions({
    queryKey: ['setup', token],
    retry: false,
    staleTime: Infinity,
    async queryFn() {
      await ok(api.GET('/setup/{token}', { params: { path: { token } } }));
      return true;
    },
  });
