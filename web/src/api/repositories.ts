// Connecting repositories, and taking them away.

import { api, ok } from './client';
import type { Source } from './sources';

export const providers = ['github', 'gitlab', 'gitea', 'generic'] as const;

export type Provider = (typeof providers)[number];

export interface NewSource {
  remote: string;
  default_branch?: string;
  branches?: string[];
  provider?: Provider;
  new_secret?: boolean;
}

export interface Connected extends Source {
  hook_url: string;
  /** Answered when it was made, and never again. */
  hook_secret?: string;
}

/** Connects a repository; one that is known is changed in what is given. */
export function connectSource(workspace: string, body: NewSource) {
  return ok<Connected>(
    api.POST('/workspaces/{workspace}/sources', { params: { path: { workspace } }, body }),
  );
}

export function disconnectSource(workspace: string, source: string) {
  return ok(
    api.DELETE('/workspaces/{workspace}/sources/{source}', {
      params: { path: { workspace, source } },
    }),
  );
}
