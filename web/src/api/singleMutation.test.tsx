import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { useSingleMutation } from './singleMutation';

afterEach(cleanup);

function provider() {
  const client = new QueryClient();
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
}

it('sends once and comes to one outcome when it is asked twice', async () => {
  const sent: number[] = [];
  const outcomes = vi.fn();
  const { result } = renderHook(
    () =>
      useSingleMutation({
        mutationFn(input: number) {
          sent.push(input);
          return Promise.resolve(input);
        },
        onSuccess: outcomes,
      }),
    { wrapper: provider() },
  );
  act(() => {
    result.current.mutate(1);
    result.current.mutate(2);
  });
  await waitFor(() => {
    expect(result.current.isSuccess).toBe(true);
  });
  expect(sent).toEqual([1]);
  expect(outcomes).toHaveBeenCalledTimes(1);
});

it('lets the next one through after a failure', async () => {
  const run = vi
    .fn<(input: number) => Promise<number>>()
    .mockRejectedValueOnce(new Error('no'))
    .mockResolvedValueOnce(2);
  const { result } = renderHook(() => useSingleMutation({ mutationFn: run }), {
    wrapper: provider(),
  });
  act(() => {
    result.current.mutate(1);
  });
  await waitFor(() => {
    expect(result.current.isError).toBe(true);
  });
  act(() => {
    result.current.mutate(2);
  });
  await waitFor(() => {
    expect(result.current.data).toBe(2);
  });
});
