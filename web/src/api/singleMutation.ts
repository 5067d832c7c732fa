import { useRef } from 'react';

/**
 * Lets one call through at a time: a double click, or a key pressed twice before
 * the page could draw the button disabled, joins the call that is under way.
 */
export function singleFlight<In, Out>(flight: {
  current: Promise<Out> | null;
}): (run: (input: In) => Promise<Out>, input: In) => Promise<Out> {
  return (run, input) =>
    (flight.current ??= run(input).finally(() => {
      flight.current = null;
    }));
}

export function useSingleFlight<In, Out>(
  run: (input: In) => Promise<Out>,
): (input: In) => Promise<Out> {
  const flight = useRef<Promise<Out> | null>(null);
  return (input) => singleFlight<In, Out>(flight)(run, input);
}
