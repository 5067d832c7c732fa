// What the doctor counted, day by day.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';

export interface CountedDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  summary: Record<string, number>;
}

export interface Trend {
  days: CountedDay[];
}

/** How many days are looked back. */
export const trendDays = 90;

export const trendQuery = (workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'doctor', 'trend'],
    staleTime: 600_000,
    queryFn: () =>
      ok<Trend>(
        api.GET('/workspaces/{workspace}/doctor/trend', {
          params: { path: { workspace }, query: { days: trendDays } },
        }),
      ),
  });
