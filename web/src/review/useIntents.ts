import { useEffect, useEffectEvent } from 'react';
import { intentOf, type Intent } from './queue';

/** Listens for the review keys while no dialog is open and nothing is being typed. */
export function useIntents(onIntent: (intent: Intent) => void): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof Element ? event.target : null;
    const busy = document.querySelector('[role="dialog"], [role="menu"]') !== null;
    if (event.defaultPrevented || busy) return;
    const intent = intentOf({
      key: event.key,
      ctrlKey: event.ctrlKey,
      metaKey: event.metaKey,
      altKey: event.altKey,
      repeat: event.repeat,
      typing:
        target?.closest('input:not([type=radio]), textarea, select, [contenteditable=true]') !=
        null,
    });
    if (!intent) return;
    event.preventDefault();
    onIntent(intent);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      handle(event);
    };
    window.addEventListener('keydown', listener);
    return () => {
      window.removeEventListener('keydown', listener);
    };
  }, []);
}
