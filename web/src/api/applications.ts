// The applications that a person let in, and those that a workspace registered.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Scope, Workspace } from './types';

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

/** An OAuth client that a workspace registered for its own people. */
export interface Application {
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  auth_method: AuthMethod;
  created_at: string;
  created_by: string;
  last_used_at?: string;
}

/** How a client proves itself at the token endpoint; `none` for programs on people's own machines. */
export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

export interface NewApplication {
  name: string;
  redirect_uris: string[];
  auth_method: AuthMethod;
  scopes: Scope[];
}

/** The secret is answered this once; a client without one has none. */
export type Registered = Application & { client_secret?: string };

export const applicationsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'clients'],
    queryFn: () =>
      ok<List<Application>>(
        api.GET('/workspaces/{workspace}/clients', { params: { path: { workspace } } }),
      ),
  });

export function registerApplication(workspace: string, body: NewApplication) {
  return ok<Registered>(
    api.POST('/workspaces/{workspace}/clients', { params: { path: { workspace } }, body }),
  );
}

export function deleteApplication(workspace: string, client: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}/clients/{client}', {
      params: { path: { workspace, client } },
    }),
  );
}
