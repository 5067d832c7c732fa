// Questions to what is written.

import { api, ok } from './client';
import type { Trust } from './types';

export interface Question {
  query: string;
  /** The least trust of what is answered from. */
  min_trust: Trust;
  areas: string[];
}

export interface AskSource {
  title: string;
  slug: string;
  revision: number;
  trust: Trust;
  stale: boolean;
}

export interface Asked {
  /** [n] in it is the n-th source. */
  answer: string;
  sources: AskSource[];
  /** It rests on the sources; false when nothing is relevant. */
  grounded: boolean;
  /** "extractive": passages word for word, no model took part. */
  sources_kind: string;
  skipped: { topic: string; reason: string }[];
  warnings: string[];
  cost_usd: number;
  cost_complete: boolean;
}

export function ask(workspace: string, { query, min_trust, areas }: Question) {
  return ok<Asked>(
    api.POST('/workspaces/{workspace}/ask', {
      params: { path: { workspace } },
      body: { query, min_trust, scope: areas.length > 0 ? { areas } : undefined },
    }),
  );
}

/** Keeps an answer as a private note; answers its slug. */
export function keepAsNote(workspace: string, title: string, content: string) {
  return ok<{ slug: string }>(
    api.POST('/workspaces/{workspace}/notes', {
      params: { path: { workspace } },
      body: { title, content },
    }),
  );
}
