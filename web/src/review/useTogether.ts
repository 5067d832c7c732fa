import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { driftedQuery, proposalsQuery, shownQuery } from '../api/queries';
import type { QueueItem } from '../api/types';
import { approveTopic, archiveTopic, mergeEdit, rejectProposal, verifyTopic } from '../api/writes';
import { keyOf } from './queue';

/** What is done with several items of one lane, each by a call and an event of its own. */
export type Joint = 'approve' | 'reject' | 'request_changes';

export interface JointRun {
  /** How many were tried, while it runs. */
  tried?: number;
  /** What went wrong, by the key of the item. */
  failures: ReadonlyMap<string, unknown>;
  /** Decides one after the other and answers what went well; what failed stays where it was. */
  run: (joint: Joint, items: readonly QueueItem[], reason: string) => Promise<ReadonlySet<string>>;
}

const none: ReadonlyMap<string, unknown> = new Map();

export function useTogether(workspace: string): JointRun {
  const client = useQueryClient();
  const [tried, setTried] = useState<number>();
  const [failures, setFailures] = useState(none);

  async function decide(joint: Joint, item: QueueItem, reason: string): Promise<unknown> {
    if (item.kind === 'drift') {
      if (joint === 'approve')
        return verifyTopic(workspace, item.slug, { note: reason || undefined });
      return archiveTopic(workspace, item.slug, false);
    }
    if (joint !== 'approve') {
      return rejectProposal(workspace, item, reason, joint === 'request_changes');
    }
    if (item.kind === 'edit') return mergeEdit(workspace, item, []);
    // Exactly the text that the dialog shows: the server refuses any other.
    return approveTopic(workspace, await client.ensureQueryData(shownQuery(workspace, item.slug)));
  }

  return {
    tried,
    failures,
    async run(joint, items, reason) {
      const failed = new Map<string, unknown>();
      const done = new Set<string>();
      for (const [i, item] of items.entries()) {
        setTried(i);
        try {
          await decide(joint, item, reason);
          done.add(keyOf(item));
        } catch (error) {
          failed.set(keyOf(item), error);
        }
      }
      const without = <Row extends QueueItem>(rows: readonly Row[]) =>
        rows.filter((row) => !done.has(keyOf(row)));
      client.setQueryData(
        proposalsQuery(workspace).queryKey,
        (list) => list && { ...list, results: without(list.results) },
      );
      client.setQueryData(
        driftedQuery(workspace).queryKey,
        (list) => list && { ...list, results: without(list.results) },
      );
      setFailures(failed);
      setTried(undefined);
      void client.invalidateQueries({ queryKey: [workspace] });
      return done;
    },
  };
}
