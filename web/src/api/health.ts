// What needs care in a workspace, and what is written about its code.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List, Trust } from './types';

/** What the doctor looks for, the most urgent first. */
export const categories = [
  'stale',
  'zombie',
  'orphaned',
  'known_failed',
  'contradiction',
  'dead_link',
  'review_overdue',
  'proposed_waiting',
  'duplicate',
  'superseded',
  'overbroad',
  'mis_shaped',
  'draft',
  'unassigned',
] as const;

export type Category = (typeof categories)[number];

export interface CareMember {
  slug: string;
  title: string;
  trust: Trust;
  /** What it is with this topic, in the server's words. */
  detail?: string;
  next_call: { tool: string; arguments: Record<string, unknown>; why: string };
}

export interface CareFinding {
  category: string;
  count: number;
  reason: string;
  has_more: boolean;
  members: CareMember[];
}

export interface Care {
  /** Topics by category. */
  summary: Record<string, number>;
  categories: CareFinding[];
}

/** How many topics of a category the server tells at most. */
export const careMax = 50;

/** Counts all categories. */
export const careQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'doctor'],
    queryFn: () =>
      ok<Care>(api.GET('/workspaces/{workspace}/doctor', { params: { path: { workspace } } })),
  });

/** The topics of one category. */
export const careOfQuery = (workspace: string, category: Category) =>
  queryOptions({
    queryKey: [workspace, 'doctor', category],
    queryFn: async () => {
      const care = await ok<Care>(
        api.GET('/workspaces/{workspace}/doctor', {
          params: { path: { workspace }, query: { categories: [category], limit: careMax } },
        }),
      );
      return care.categories[0] ?? { category, count: 0, reason: '', has_more: false, members: [] };
    },
  });

export interface Covered {
  files: number;
  /** Files under an anchor of Knowledge, of Notes alone, and under none. */
  knowledge: number;
  note: number;
  none: number;
  /** Covered by Knowledge, each file weighed by how often it changes; 0 to 1. */
  share: number;
}

export type Folder = Covered & { path: string };

export interface Gap {
  path: string;
  files: number;
  commits: number;
  samples: string[];
}

export interface Coverage extends List<Gap> {
  repository: string;
  branch: string;
  head: string;
  path?: string;
  total: Covered;
  folders: Folder[];
}

export const coverageQuery = (workspace: string, repo: string, path?: string) =>
  queryOptions({
    queryKey: [workspace, 'coverage', repo, path],
    queryFn: () =>
      ok<Coverage>(
        api.GET('/workspaces/{workspace}/coverage', {
          params: { path: { workspace }, query: { repo, path, limit: 10 } },
        }),
      ),
  });
