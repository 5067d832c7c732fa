import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './api/problem';

/** Why the person has to sign in: the session is gone, or too old for a decision. */
export type SignInReason = 'ended' | 'too_old';

function signInReason(error: unknown): SignInReason | undefined {
  if (!(error instanceof Problem) || error.status !== 401) return undefined;
  return error.code === 'SESSION_TOO_OLD' ? 'too_old' : 'ended';
}

export function createQueryClient(onSignIn: (reason: SignInReason) => void): QueryClient {
  const check = (error: unknown): void => {
    const reason = signInReason(error);
    if (reason) onSignIn(reason);
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError: check }),
    mutationCache: new MutationCache({
      onError(error, _variables, _result, mutation) {
        // The sign-in form answers a wrong password itself.
        if (!mutation.meta?.signsIn) check(error);
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) =>
          count < 2 && error instanceof Problem && (error.status === 0 || error.status >= 502),
      },
    },
  });
}
