// The graph of a workspace, and of what lies around a topic.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { Trust } from './types';

export interface Spot {
  slug: string;
  title: string;
  trust: Trust;
  area?: string;
  stale?: boolean;
  superseded?: boolean;
}

export interface Edge {
  from: string;
  type: string;
  to: string;
}

export interface WholeGraph {
  nodes: Spot[];
  edges: Edge[];
  /** There is more than is shown. */
  truncated: boolean;
}

export interface GraphOf {
  /** The topic in the middle; the whole workspace without it. */
  topic?: string;
  /** Steps from the topic in the middle. */
  depth?: number;
  area?: string;
}

export const wholeGraphQuery = (workspace: string, { topic, depth, area }: GraphOf) =>
  queryOptions({
    queryKey: [workspace, 'graph', { topic, depth, area }],
    staleTime: 60_000,
    queryFn: () =>
      topic
        ? ok<WholeGraph>(
            api.GET('/workspaces/{workspace}/topics/{topic}/graph', {
              params: { path: { workspace, topic }, query: { depth } },
            }),
          )
        : ok<WholeGraph>(
            api.GET('/workspaces/{workspace}/graph', {
              params: { path: { workspace }, query: { area } },
            }),
          ),
  });
