import type { ProblemBody } from './types';

/** A call that did not succeed, with what the server said about it. */
export class Problem extends Error {
  readonly status: number;
  readonly body: ProblemBody;

  constructor(status: number, body: ProblemBody) {
    super(body.message);
    this.name = 'Problem';
    this.status = status;
    this.body = body;
  }

  get code(): string {
    return this.body.code;
  }

  /** The first problem reported for a field or anything inside of it. */
  below(name: string): string | undefined {
    return this.body.fields?.find((f) => f.path.replace(/^\//, '').split(/[./[]/)[0] === name)
      ?.problem;
  }

  /** The first problem reported for a field, by its JSON Pointer or plain name. */
  field(name: string): string | undefined {
    return this.body.fields?.find((f) => f.path.replace(/^\//, '') === name)?.problem;
  }
}

/** Reads a problem document; anything else (a proxy's page, an empty body) becomes one. */
export function toProblem(status: number, body: unknown): Problem {
  if (typeof body === 'object' && body !== null && 'code' in body && 'message' in body) {
    return new Problem(status, body as ProblemBody);
  }
  return new Problem(status, {
    code: status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE',
    message: `The server answered ${String(status)}.`,
    retryable: status >= 500,
  });
}

/** A failure to reach the server at all. */
export function unreachable(): Problem {
  return new Problem(0, { code: 'UNREACHABLE', message: '', retryable: true });
}

export function hasCode(error: unknown, ...codes: string[]): error is Problem {
  return error instanceof Problem && codes.includes(error.code);
}

export function hasStatus(error: unknown, status: number): error is Problem {
  return error instanceof Problem && error.status === status;
}
