import createClient from 'openapi-fetch';
import type { paths } from './paths';
import { toProblem, unreachable } from './problem';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

// The token of the signed-in session, sent back on every unsafe request.
let csrfToken = '';

export function setCsrfToken(token: string): void {
  csrfToken = token;
}

export const api = createClient<paths>({
  baseUrl: '/api/v1',
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: false } },
});

api.use({
  onRequest({ request }) {
    request.headers.set('Accept', 'application/json');
    if (!safe.has(request.method) && csrfToken) request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  },
});

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** Turns an answer into its data, or throws the Problem the server described. */
export async function ok<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (cause) {
    if (cause instanceof TypeError) throw unreachable();
    throw cause;
  }
  if (!answer.response.ok) throw toProblem(answer.response.status, answer.error);
  return answer.data as T;
}
