import { useDocumentVisibility, useThrottledCallback } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newestQuery } from '../api/activity';
import { useHere } from '../shell/workspace';
import { Live } from './Live';

/** How often what is on the page is read again at most, in milliseconds. */
const every = 1000;

/**
 * Keeps a page up to date with what others do: whatever happens in the workspace has what
 * the page shows read again. Without a stream the page is as new as when it was opened.
 */
export function LiveHere() {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const client = useQueryClient();
  const visible = useDocumentVisibility() === 'visible';
  const [refused, setRefused] = useState(false);
  const newest = useQuery(newestQuery(ws));
  const again = useThrottledCallback(() => {
    void client.invalidateQueries({ queryKey: [ws] });
  }, every);
  if (!visible || refused || newest.data === undefined) return null;
  return (
    <Live
      key={ws}
      workspace={ws}
      filter={{}}
      after={newest.data}
      onEvent={again}
      onRefused={() => {
        setRefused(true);
      }}
    />
  );
}
