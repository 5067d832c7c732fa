// What an item of the inbox says, and where it leads.

import type { InboxItem } from '../api/inbox';

/** The word for what an item tells; for a few it is another one where it is about a suggested edit. */
export function wordOf({ kind, about }: InboxItem): string {
  const ofEdit = about && ['review', 'rejected', 'comment'].includes(kind);
  return ofEdit ? `${kind}_edit` : kind;
}

/** Where one acts on an item, or reads about it; what was deleted leads nowhere. A kind that is not known leads to the text. */
export function placeOf({ kind, about, topic }: InboxItem, workspace: string): string | undefined {
  if (topic.trashed) return undefined;
  const ws = `/w/${workspace}`;
  const text = `${ws}/t/${topic.slug}`;
  switch (kind) {
    case 'confirmation':
      return about ? `/confirm/${encodeURIComponent(about)}` : text;
    case 'review':
    case 'comment':
      if (about)
        return `${ws}/review?${String(new URLSearchParams({ lane: 'edits', item: `edit:${about}` }))}`;
      return kind === 'review' ? `${ws}/review?item=${topic.slug}` : `${text}?tab=comments`;
    default:
      return text;
  }
}
