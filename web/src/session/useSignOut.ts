import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, ok } from '../api/client';
import { useSingleMutation } from '../api/singleMutation';

/** Ends this session and forgets everything that was read in it. */
export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useSingleMutation({
    mutationFn: () => ok(api.DELETE('/session')),
    onSettled() {
      client.clear();
      void navigate({ to: '/sign-in' });
    },
  });
}
