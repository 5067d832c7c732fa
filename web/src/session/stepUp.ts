// A request that the session is too old for waits here, with all that it carries,
// until the person has proven again who they are.

import { useSyncExternalStore } from 'react';

interface Question {
  answered: Promise<boolean>;
  /** Ends the question; true when the person has proven who they are. */
  answer: (proven: boolean) => void;
}

let open: Question | null = null;
const listeners = new Set<() => void>();

function set(next: Question | null): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Asks once, however many requests wait, and says whether they may be sent again. */
export function proveAgain(): Promise<boolean> {
  if (open) return open.answered;
  let answer: Question['answer'] = () => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = (proven) => {
      set(null);
      resolve(proven);
    };
  });
  set({ answered, answer });
  return answered;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The question that waits for the person, if there is one. */
export function useQuestion(): Question | null {
  return useSyncExternalStore(subscribe, () => open);
}
