import createClient from 'openapi-fetch';
import { toProblem, unreachable } from './problem';
import type { paths } from './schema';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

// The token of the signed-in session, sent back on every unsafe request.
let csrfToken = '';

export function setCsrfToken(token: string): void {
  csrfToken = token;
}

// The generated paths carry the prefix that every call shares.
type Calls = {
  [Path in keyof paths as Path extends `/api/v1${infer Rest}` ? Rest : never]: paths[Path];
};

export const api = createClient<Calls>({
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

interface Answer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * Turns an answer into its data, or throws the Problem the server described. The
 * generated types check what is sent; what comes back has a name in types.ts,
 * which contract.test.ts holds against them.
 */
export async function ok<T = unknown>(call: Promise<Answer>): Promise<T> {
  let answer: Answer;
  try {
    answer = await call;
  } catch (cause) {
    if (cause instanceof TypeError) throw unreachable();
    throw cause;
  }
  if (!answer.response.ok) throw toProblem(answer.response.status, answer.error);
  return answer.data as T;
}
