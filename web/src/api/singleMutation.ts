import {
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
} from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that is under way once. A double click, or a key pressed twice before
 * the page could draw the button disabled, sends one request and has one outcome.
 */
export function useSingleMutation<In, Out>(
  options: UseMutationOptions<Out, Error, In>,
): UseMutationResult<Out, Error, In> {
  const underWay = useRef(false);
  const mutation = useMutation<Out, Error, In>({
    ...options,
    onSettled(...settled) {
      underWay.current = false;
      return options.onSettled?.(...settled);
    },
  });
  return {
    ...mutation,
    mutate(...call) {
      if (underWay.current) return;
      underWay.current = true;
      mutation.mutate(...call);
    },
  };
}
