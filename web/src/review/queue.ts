// The review queue as a state machine: where the reviewer stands in each lane, what is
// picked to be decided together, and what a key means. Pure, so that it can be tested
// without a page.

import type { Area, Drifted, Proposal, QueueItem } from '../api/types';

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
  /** What is to be decided together, of the lane looked at. */
  picked: readonly string[];
}

export type QueueAction =
  | { type: 'loaded'; queue: Queue }
  | { type: 'lane'; lane: Lane }
  | { type: 'next' }
  | { type: 'previous' }
  | { type: 'select'; key: string }
  /** Picks the item, or the one looked at, or puts it back. */
  | { type: 'pick'; key?: string }
  | { type: 'pick_all' }
  | { type: 'pick_none' };

const start: Position = { key: undefined, index: 0 };

export function initialQueue(lane: Lane = 'notes', key?: string): QueueState {
  const at = { notes: start, edits: start, drift: start };
  return {
    lane,
    queue: { notes: [], edits: [], drift: [] },
    at: { ...at, [lane]: { key, index: 0 } },
    picked: [],
  };
}

export function queueReducer(state: QueueState, action: QueueAction): QueueState {
  const { lane, queue, at, picked } = state;
  switch (action.type) {
    case 'loaded': {
      const settled = { ...at };
      for (const name of lanes) settled[name] = settle(at[name], action.queue[name]);
      const waiting = new Set(action.queue[lane]);
      return {
        ...state,
        queue: action.queue,
        at: settled,
        picked: picked.filter((key) => waiting.has(key)),
      };
    }
    case 'lane':
      return action.lane === lane ? state : { ...state, lane: action.lane, picked: [] };
    case 'next':
      return move(state, at[lane].index + 1);
    case 'previous':
      return move(state, at[lane].index - 1);
    case 'select': {
      const index = queue[lane].indexOf(action.key);
      return index < 0 ? state : move(state, index);
    }
    case 'pick': {
      const key = action.key ?? at[lane].key;
      if (key === undefined || !queue[lane].includes(key)) return state;
      const others = picked.filter((other) => other !== key);
      return { ...state, picked: others.length < picked.length ? others : [...picked, key] };
    }
    case 'pick_all':
      return { ...state, picked: queue[lane] };
    case 'pick_none':
      return { ...state, picked: [] };
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

export function keyOf(item: QueueItem): string {
  switch (item.kind) {
    case 'edit':
      return `edit:${item.proposal ?? item.slug}`;
    case 'drift':
      return `drift:${item.slug}`;
    case 'note':
      return item.slug;
  }
}

/**
 * The order of what was proposed: what waits before what was sent back, warnings first
 * because they carry the risk, then the oldest.
 */
export function ranked(proposals: readonly Proposal[]): Proposal[] {
  const weight = (p: Proposal): number =>
    (p.review.state === 'changes_requested' ? 2 : 0) + (p.content_warnings.length > 0 ? 0 : 1);
  return [...proposals].sort(
    (a, b) => weight(a) - weight(b) || a.proposed_at.localeCompare(b.proposed_at),
  );
}

/** The order of what drifted: where something is gone first, then what was not looked at for longest. */
export function rankedDrift(drifted: readonly Drifted[]): Drifted[] {
  const weight = (d: Drifted): number => (d.drift_state === 'broken' ? 0 : 1);
  return [...drifted].sort(
    (a, b) => weight(a) - weight(b) || a.updated_at.localeCompare(b.updated_at),
  );
}

/** What a reviewer wants to see of the queue. */
export interface QueueFilter {
  area?: string;
  /** Only what is filed where this person is asked first, by e-mail. */
  reviewer?: string;
}

export function kept(
  filter: QueueFilter,
  areas: readonly Area[],
): (item: Pick<QueueItem, 'area'>) => boolean {
  const asked = new Set(
    areas
      .filter(({ reviewers }) => filter.reviewer && reviewers.includes(filter.reviewer))
      .map(({ name }) => name),
  );
  return ({ area }) =>
    (!filter.area || area === filter.area) &&
    (!filter.reviewer || (area !== undefined && asked.has(area)));
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
  | 'pick'
  | 'pick_all'
  | 'pick_none'
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
  s: 'pick',
  S: 'pick_all',
  Escape: 'pick_none',
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
