import createClient from 'openapi-fetch';
import { proveAgain } from '../session/stepUp';
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

/** Sends a request, and once more when the person first had to prove who they are. */
async function send(request: Request): Promise<Response> {
  // All that the console sends is text, which can be sent twice; the body of a request cannot.
  const body = (await request.text()) || undefined;
  const answer = await fetch(new Request(request, { body }));
  if (!(await isTooOld(answer)) || !(await proveAgain())) return answer;
  return fetch(withToken(new Request(request, { body })));
}

function withToken(request: Request): Request {
  if (!safe.has(request.method) && csrfToken) request.headers.set('X-CSRF-Token', csrfToken);
  return request;
}

async function isTooOld(answer: Response): Promise<boolean> {
  if (answer.status !== 401) return false;
  const body: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return toProblem(answer.status, body).code === 'SESSION_TOO_OLD';
}

export const api = createClient<Calls>({
  fetch: send,
  baseUrl: '/api/v1',
  // The console keeps what it read by itself, and knows when it is old; a second cache behind it would not.
  cache: 'no-store',
  credentials: 'same-origin',
  querySerializer: { array: { style: 'form', explode: false } },
});

api.use({
  onRequest({ request }) {
    request.headers.set('Accept', 'application/json');
    return withToken(request);
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
