// The repositories whose files the workspace knows.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List } from './types';

export interface Source {
  id: string;
  name: string;
  provider: string;
  default_branch: string;
  /** Patterns of the branches that are tracked beside the default one. */
  branches: string[];
  heads: { branch: string; head: string; files: number; synced_at: string }[];
  connected_at: string;
  disconnected_at?: string;
}

export const sourcesQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'sources'],
    queryFn: () =>
      ok<List<Source>>(
        api.GET('/workspaces/{workspace}/sources', { params: { path: { workspace } } }),
      ),
  });

/** Whether the files of its default branch are known. */
export function isSynced(source: Source): boolean {
  return (
    !source.disconnected_at && source.heads.some((head) => head.branch === source.default_branch)
  );
}
