// An edit in progress: what the form holds and what it asks the server to change.

import type { Topic, TopicText, TopicUpdate } from '../api/types';
import { listFields, textFields } from '../diff/fields';
import { pickText } from '../diff/merge';

export interface Draft extends TopicText {
  area: string;
  tags: string[];
}

export function draftOf(topic: Topic): Draft {
  return { ...pickText(topic), area: topic.area ?? '', tags: [...topic.tags] };
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Only what differs from the base, so that edits of other fields do not meet. */
export function updateOf(
  base: Draft,
  draft: Draft,
  revision: number,
  summary: string,
): TopicUpdate {
  const update: TopicUpdate = { base_revision: revision };
  for (const field of textFields) {
    if (draft[field] !== base[field]) update[field] = draft[field];
  }
  for (const field of listFields) {
    if (field === 'anchors') continue;
    const items = filled(draft[field]);
    if (!equal(items, base[field])) update[field] = items;
  }
  const anchors = filled(draft.anchors);
  const added = anchors.filter((anchor) => !base.anchors.includes(anchor));
  const removed = base.anchors.filter((anchor) => !anchors.includes(anchor));
  if (added.length > 0) update.add_anchors = added;
  if (removed.length > 0) update.remove_anchors = removed;
  if (draft.area !== base.area) update.area = draft.area;
  if (!equal(draft.tags, base.tags)) update.tags = draft.tags;
  if (summary.trim() !== '') update.summary = summary.trim();
  return update;
}

export function isEmptyUpdate(update: TopicUpdate): boolean {
  return Object.keys(update).every((key) => key === 'base_revision' || key === 'summary');
}

function filled(items: readonly string[]): string[] {
  return items.map((item) => item.trim()).filter((item) => item !== '');
}
