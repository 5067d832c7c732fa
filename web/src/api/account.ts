// What a person has on this server, whatever the workspace.

import { queryOptions } from '@tanstack/react-query';
import { api, ok } from './client';
import type { List } from './types';

/** One place where a person is signed in. */
export interface Sitting {
  id: string;
  /** Such as "Firefox on Linux". */
  device: string;
  signed_in_at: string;
  last_used_at: string;
  /** It is the one that asks. */
  current: boolean;
}

export const sittingsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: () => ok<List<Sitting>>(api.GET('/sessions')),
});

export function endSitting(session: string) {
  return ok(api.DELETE('/sessions/{session}', { params: { path: { session } } }));
}

export function changePassword(body: { current?: string; new: string }) {
  return ok(api.POST('/password', { body }));
}

/** Sets the name that others see. */
export function changeName(name: string) {
  return ok(api.PATCH('/profile', { body: { name } }));
}
