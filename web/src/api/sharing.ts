// How a topic is shared: as a page on the web, and with members.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';

export interface Shared {
  topic: string;
  /** The page on the web, which whoever has its address can read. */
  url?: string;
  markdown_url?: string;
  expires_at?: string;
  /** E-mails of those whom the person who asks lets read a private draft. */
  members: string[];
}

export const sharedQuery = (workspace: string, topic: string) =>
  queryOptions({
    queryKey: [workspace, 'shared', topic],
    queryFn: () =>
      ok<Shared>(
        api.GET('/workspaces/{workspace}/topics/{topic}/share', {
          params: { path: { workspace, topic } },
        }),
      ),
  });

export interface Sharing {
  to_web?: boolean;
  /** E-mails. */
  with_members?: string[];
  /** The end of the page; without it the page has none. */
  expires_at?: string;
  /** Takes it back instead. */
  revoke?: boolean;
}

export function share(workspace: string, topic: string, body: Sharing) {
  return ok<Shared>(
    api.POST('/workspaces/{workspace}/topics/{topic}/share', {
      params: { path: { workspace, topic } },
      body,
    }),
  );
}
