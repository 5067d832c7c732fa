import { createContext, use, useMemo, type ReactNode } from 'react';
import type { Relations } from '../api/types';

interface Known {
  title?: string;
  dead?: boolean;
}

const Context = createContext<ReadonlyMap<string, Known>>(new Map());

/** Lets the texts inside name the topics they mention, as far as these are known. */
export function KnownTopics({
  relations,
  children,
}: {
  relations: Relations | undefined;
  children: ReactNode;
}) {
  const known = useMemo(() => {
    const all = relations
      ? [
          ...relations.outgoing,
          ...relations.incoming,
          ...relations.mentioned_by,
          ...relations.mentions,
        ]
      : [];
    return new Map<string, Known>(all.map((topic) => [topic.slug, topic]));
  }, [relations]);
  return <Context value={known}>{children}</Context>;
}

export function useKnownTopic(slug: string): Known | undefined {
  return use(Context).get(slug);
}
