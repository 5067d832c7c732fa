// The review queue as a state machine: where the reviewer stands in each lane,
// and what a key means. Pure, so that it can be tested without a page.

import type { Proposal } from '../api/types';

export const lanes = ['notes', 'edits', 'drift'] as const;
export type Lane = (typeof lanes)[number];

export type Queue = Record<Lane, readonly string[]>;

export interface Position {
  /** The item looked at; undefined when the lane is empty. */
  key: string | undefined;
  /** Where it stood, so that the next one moves up into its place. */
  index: number;
}

export interface QueueState {
  lane: Lane;
  queue: Queue;
  at: Record<Lane, Position>;
}

export type QueueAction =
  | { type: 'loaded'; queue: Queue }
  | { type: 'lane'; lane: Lane }
  | { type: 'next' }
  | { type: 'previous' }
  | { type: 'select'; key: string };

const start: Position = { key: undefined, index: 0 };

export function initialQueue(lane: Lane = 'notes', key?: string): QueueState {
  const at = { notes: start, edits: start, drift: start };
  return {
    lane,
    queue: { notes: [], edits: [], drift: [] },
    at: { ...at, [lane]: { key, index: 0 } },
  };
}

export function queueReducer(state: QueueState, action: QueueAction): QueueState {
  switch (action.type) {
    case 'loaded': {
      const at = { ...state.at };
      for (const lane of lanes) at[lane] = settle(state.at[lane], action.queue[lane]);
      return { ...state, queue: action.queue, at };
    }
    case 'lane':
      return { ...state, lane: action.lane };
    case 'next':
      return move(state, state.at[state.lane].index + 1);
    case 'previous':
      return move(state, state.at[state.lane].index - 1);
    case 'select': {
      const index = state.queue[state.lane].indexOf(action.key);
      return index < 0 ? state : move(state, index);
    }
  }
}

/** Keeps the item when it is still there, otherwise the place it stood in. */
function settle(at: Position, keys: readonly string[]): Position {
  const found = at.key === undefined ? -1 : keys.indexOf(at.key);
  const index = found >= 0 ? found : clamp(at.index, keys.length);
  return { key: keys[index], index };
}

function move(state: QueueState, to: number): QueueState {
  const keys = state.queue[state.lane];
  const index = clamp(to, keys.length);
  return { ...state, at: { ...state.at, [state.lane]: { key: keys[index], index } } };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}

export function keyOf(proposal: Proposal): string {
  return proposal.kind === 'edit' ? `edit:${proposal.proposal ?? proposal.slug}` : proposal.slug;
}

/**
 * The order of a lane: what waits before what was sent back, warnings first
 * because they carry the risk, then the oldest.
 */
export function ranked(proposals: readonly Proposal[]): Proposal[] {
  const weight = (p: Proposal): number =>
    (p.review.state === 'changes_requested' ? 2 : 0) + (p.content_warnings.length > 0 ? 0 : 1);
  return [...proposals].sort(
    (a, b) => weight(a) - weight(b) || a.proposed_at.localeCompare(b.proposed_at),
  );
}

export type Intent =
  | 'next'
  | 'previous'
  | 'approve'
  | 'request_changes'
  | 'reject'
  | 'edit'
  | 'comment'
  | 'help'
  | 'view'
  | 'lane_1'
  | 'lane_2'
  | 'lane_3';

const intents: Readonly<Record<string, Intent>> = {
  j: 'next',
  k: 'previous',
  a: 'approve',
  r: 'request_changes',
  x: 'reject',
  e: 'edit',
  c: 'comment',
  v: 'view',
  '?': 'help',
  '1': 'lane_1',
  '2': 'lane_2',
  '3': 'lane_3',
};

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat: boolean;
  /** Focus is in something that takes text. */
  typing: boolean;
}

/** What a key asks for. Held keys move, but they never decide. */
export function intentOf(press: KeyPress): Intent | undefined {
  if (press.typing || press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const intent = Object.hasOwn(intents, press.key) ? intents[press.key] : undefined;
  if (press.repeat && intent !== 'next' && intent !== 'previous') return undefined;
  return intent;
}
