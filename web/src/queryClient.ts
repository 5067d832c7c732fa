import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { hasStatus, Problem } from './api/problem';

/** `onEnded` is called when an answer says that the session is gone. */
export function createQueryClient(onEnded: () => void): QueryClient {
  const check = (error: unknown): void => {
    // A session that is only too old was asked about already; the person said no.
    if (hasStatus(error, 401) && error.code !== 'SESSION_TOO_OLD') onEnded();
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
