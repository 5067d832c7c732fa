import { useQueryClient } from '@tanstack/react-query';
import { setCsrfToken } from '../api/client';
import { sessionQuery } from '../api/queries';
import type { Session } from '../api/types';

/** Takes over the session that the server answered. */
export function useSignedIn(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    setCsrfToken(session.csrf_token);
    client.setQueryData(sessionQuery.queryKey, session);
  };
}
