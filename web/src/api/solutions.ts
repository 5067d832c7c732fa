// What a topic answers in an environment, and what people report about it.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';

/** Where something applies or happened; a missing part matches anything. */
export interface Environment {
  os?: string;
  runtime?: string;
  pkg_manager?: string;
  labels?: string[];
}

export interface Solution {
  id: string;
  env?: Environment;
  /** The steps. */
  fix: string[];
  /** A command that shows that they worked. */
  verify?: string;
  /** Where it does not hold. */
  boundaries?: string[];
  revision?: number;
}

export type AnswerState =
  'unverified' | 'verified' | 'unconfirmed' | 'known_failed' | 'disputed' | 'cleared';

/** A solution with what the reports say about it, each person counted once on each side. */
export interface Judged {
  solution: string;
  revision: number;
  state: AnswerState;
  solved: number;
  failed: number;
  /** Why its steps are left out of what is read. */
  withheld?: string;
  cleared_because?: string;
}

export interface Attempt {
  id: string;
  environment: Environment;
  summary: string;
  steps: string[];
  reason: string;
  by?: string;
  at: string;
  /** An answer stands now. */
  archived?: boolean;
}

export interface Answer {
  has_answer: boolean;
  no_known_working_solution: boolean;
  answer_state?: AnswerState;
  answers: Judged[];
  failed_attempts?: Attempt[];
}

export const answerQuery = (workspace: string, topic: string, env: Environment) =>
  queryOptions({
    queryKey: [workspace, 'answer', topic, env],
    queryFn: async () => {
      const { answer } = await ok<{ answer: Answer }>(
        api.GET('/workspaces/{workspace}/topics/{topic}', {
          params: {
            path: { workspace, topic },
            query: {
              // An object in an address is written as JSON.
              env: JSON.stringify(env),
              include_archived_failures: true,
              fields: ['solutions'],
            },
          },
        }),
      );
      return answer;
    },
  });

export interface Report {
  solution: string;
  /** The solution's, as it was read. */
  revision: number;
  outcome: 'solved' | 'failed';
  env: Environment;
  reason?: string;
  /** Takes one's report back instead. */
  retract?: boolean;
}

export function report(workspace: string, topic: string, { solution, ...body }: Report) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/solutions/{solution}/feedback', {
      params: { path: { workspace, topic, solution } },
      body,
    }),
  );
}

/** Says that a solution holds, whatever was reported about this revision before. */
export function clearSolution(workspace: string, topic: string, solution: string, reason: string) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/solutions/{solution}/clear', {
      params: { path: { workspace, topic, solution } },
      body: { reason },
    }),
  );
}

export type NewAttempt = Pick<Attempt, 'environment' | 'summary' | 'steps' | 'reason'>;

export function addAttempt(workspace: string, topic: string, body: NewAttempt) {
  return ok(
    api.POST('/workspaces/{workspace}/topics/{topic}/attempts', {
      params: { path: { workspace, topic } },
      body,
    }),
  );
}
