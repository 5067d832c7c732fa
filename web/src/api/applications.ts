// The applications that a person let in.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Workspace } from './types';

/** An application that acts for a person, and what it was allowed. */
export interface Connection {
  id: string;
  client: { name: string; uri?: string; host?: string };
  scopes: { name: string; description: string }[];
  /** Those that it still reaches. */
  workspaces: Workspace[];
  created_at: string;
  last_used_at: string;
}

export const connectionsQuery = queryOptions({
  queryKey: ['account', 'connections'],
  queryFn: () => ok<List<Connection>>(api.GET('/connections')),
});

export function disconnect(grant: string) {
  return ok(api.DELETE('/connections/{grant}', { params: { path: { grant } } }));
}
