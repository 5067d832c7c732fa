// The policies of a workspace, its name and its end.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';

/** Who completes an approval that an agent asked for. */
export const approvals = ['confirm', 'direct', 'off'] as const;

export type Approval = (typeof approvals)[number];

/** What anybody may read without an account. */
export interface PublicKnowledge {
  enabled: boolean;
  /** All Knowledge; otherwise what was shared to the web. */
  all_reviewed: boolean;
  /** Only topics with one of these, where there are any. */
  tags: string[];
  /** An owner decided; otherwise it is what the server is configured with. */
  saved: boolean;
  url?: string;
}

export interface Settings {
  agent_approval: Approval;
  /** Author, last editor and approver are different people. */
  four_eyes: boolean;
  /** Days without a change after which a draft is archived; 0 is never. */
  note_lifetime_days: number;
  public_knowledge: PublicKnowledge;
}

export const settingsQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'settings'],
    queryFn: () =>
      ok<Settings>(
        api.GET('/workspaces/{workspace}/settings', { params: { path: { workspace } } }),
      ),
  });

/** What is not said stays as it is. */
export type SettingsChange = Partial<Omit<Settings, 'public_knowledge'>> & {
  public_knowledge?: Partial<Pick<PublicKnowledge, 'enabled' | 'all_reviewed' | 'tags'>>;
};

export function changeSettings(workspace: string, body: SettingsChange) {
  return ok<Settings>(
    api.PATCH('/workspaces/{workspace}/settings', { params: { path: { workspace } }, body }),
  );
}

export function renameWorkspace(workspace: string, name: string) {
  return ok(
    api.PATCH('/workspaces/{workspace}', { params: { path: { workspace } }, body: { name } }),
  );
}

/** Ends the workspace with everything in it; its slug is sent along, as it was typed. */
export function deleteWorkspace(workspace: string, confirm: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}', { params: { path: { workspace }, query: { confirm } } }),
  );
}
