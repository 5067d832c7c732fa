// Three-way merge of a topic's fields, for an edit whose base moved on.

import type { TopicText } from '../api/types';
import { listFields, textFields, type Field } from './fields';

export interface Merge {
  /** Both sides' changes where they do not meet; mine where they do. */
  text: TopicText;
  /** Fields that both sides changed, differently. A person decides these. */
  conflicts: Field[];
  /** Fields that only the other side changed and that were taken over. */
  taken: Field[];
}

const fields: readonly Field[] = [...textFields, ...listFields];

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function mergeText(base: TopicText, mine: TopicText, theirs: TopicText): Merge {
  let text = pickText(mine);
  const conflicts: Field[] = [];
  const taken: Field[] = [];
  for (const field of fields) {
    const iChanged = !equal(base[field], mine[field]);
    const theyChanged = !equal(base[field], theirs[field]);
    if (!theyChanged || equal(mine[field], theirs[field])) continue;
    if (iChanged) {
      conflicts.push(field);
    } else {
      taken.push(field);
      text = { ...text, [field]: theirs[field] };
    }
  }
  return { text, conflicts, taken };
}

/** The governed text of a topic and nothing else of it. */
export function pickText(from: TopicText): TopicText {
  return {
    title: from.title,
    what: from.what,
    how: from.how,
    content: from.content,
    decisions: [...from.decisions],
    gotchas: [...from.gotchas],
    invariants: [...from.invariants],
    required_checks: [...from.required_checks],
    anchors: [...from.anchors],
  };
}
