import { useEffect, useEffectEvent, useState } from 'react';
import { eventsAfter, type ActivityFilter, type Happening } from '../api/activity';

interface Props {
  workspace: string;
  filter: ActivityFilter;
  /** The newest entry that is known already; what came later is told. */
  after: number;
  onEvent: (event: Happening) => void;
  /** The server refuses the stream, or cannot send one. */
  onRefused: () => void;
}

/**
 * Listens to the log for as long as it is on the page. A browser opens a stream that broke
 * again by itself, and says which entry it had last, so that nothing is missed.
 */
export function Live({ workspace, filter, after, onEvent, onRefused }: Props) {
  // Where it began: what came since is in the stream, which goes on by itself.
  const [address] = useState(() => eventsAfter(workspace, filter, after));
  const tell = useEffectEvent(onEvent);
  const refused = useEffectEvent(onRefused);
  useEffect(() => {
    const stream = new EventSource(address);
    stream.onmessage = (message: MessageEvent<string>) => {
      tell(JSON.parse(message.data) as Happening);
    };
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) refused();
    };
    return () => {
      stream.close();
    };
  }, [address]);
  return null;
}
