import { useDocumentVisibility, useInterval } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Live } from '../activity/Live';
import { newestQuery } from '../api/activity';

// What happens within this time is read again at once, in milliseconds.
const together = 250;
// How often to read again where there is no stream of events, in milliseconds.
const every = 15_000;

/**
 * Keeps every page as fresh as the log of the workspace: what somebody else does is read again
 * when it happens. A page that nobody sees does not listen, since a browser opens few connections
 * to a server; it hears of what it missed as soon as it is looked at.
 */
export function Fresh({ workspace }: { workspace: string }) {
  const client = useQueryClient();
  const visible = useDocumentVisibility() === 'visible';
  const [refused, setRefused] = useState(false);
  const newest = useQuery(newestQuery(workspace));
  // The last entry that was heard of, for as long as this listens and when it begins again.
  const [heard, setHeard] = useState<number>();
  const timer = useRef<number>(undefined);

  const soon = (): void => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      // The log itself is told entry by entry where it is shown.
      void client.invalidateQueries({
        predicate: ({ queryKey: [of, what] }) => of === workspace && what !== 'events',
      });
    }, together);
  };
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
    },
    [],
  );
  const { start, stop } = useInterval(soon, every);
  useEffect(() => {
    if (refused && visible) start();
    return stop;
  }, [refused, visible, start, stop]);

  const after = heard ?? newest.data;
  if (!visible || refused || after === undefined) return null;
  return (
    <Live
      workspace={workspace}
      filter={{}}
      after={after}
      onEvent={({ seq }) => {
        setHeard(seq);
        soon();
      }}
      onRefused={() => {
        setRefused(true);
      }}
    />
  );
}
