// What changed in a topic, field by field. Pure: no rendering, no requests.

import type { Change, TopicText } from '../api/types';

export const textFields = ['title', 'what', 'how', 'content'] as const;
export const listFields = [
  'decisions',
  'gotchas',
  'invariants',
  'required_checks',
  'anchors',
] as const;

export type TextField = (typeof textFields)[number];
export type ListField = (typeof listFields)[number];
export type Field = TextField | ListField;

export interface ItemDiff {
  kind: 'added' | 'removed' | 'changed' | 'same';
  before: string;
  after: string;
}

export type FieldDiff =
  | { field: string; kind: 'text'; before: string; after: string }
  | { field: string; kind: 'list'; items: ItemDiff[] };

const order: readonly string[] = [...textFields, ...listFields];

function rank(field: string): number {
  const at = order.indexOf(field);
  return at < 0 ? order.length : at;
}

/** The parts of a JSON Pointer (RFC 6901), unescaped. */
export function pointer(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function show(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** Two lists, item by item: what stayed, went, came, and what was reworded in place. */
export function listDiff(before: readonly string[], after: readonly string[]): ItemDiff[] {
  const kept = longestCommon(before, after);
  const items: ItemDiff[] = [];
  let i = 0;
  let j = 0;
  for (const same of [...kept, undefined]) {
    const removed: string[] = [];
    const added: string[] = [];
    while (i < before.length && before[i] !== same) removed.push(before[i++] ?? '');
    while (j < after.length && after[j] !== same) added.push(after[j++] ?? '');
    const reworded = Math.min(removed.length, added.length);
    for (let k = 0; k < reworded; k++) {
      items.push({ kind: 'changed', before: removed[k] ?? '', after: added[k] ?? '' });
    }
    for (const text of removed.slice(reworded)) {
      items.push({ kind: 'removed', before: text, after: '' });
    }
    for (const text of added.slice(reworded)) {
      items.push({ kind: 'added', before: '', after: text });
    }
    if (same !== undefined) {
      items.push({ kind: 'same', before: same, after: same });
      i++;
      j++;
    }
  }
  return items;
}

function longestCommon(a: readonly string[], b: readonly string[]): string[] {
  const length = Array.from({ length: a.length + 1 }, () =>
    new Array<number>(b.length + 1).fill(0),
  );
  const at = (i: number, j: number): number => length[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = length[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const common: string[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const item = a[i];
    if (item !== undefined && item === b[j]) {
      common.push(item);
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return common;
}

/** The fields in which two texts differ. A missing `before` means all of it is new. */
export function textDiff(before: Partial<TopicText> | null, after: TopicText): FieldDiff[] {
  const diffs: FieldDiff[] = [];
  for (const field of textFields) {
    const old = before?.[field] ?? '';
    if (old !== after[field]) diffs.push({ field, kind: 'text', before: old, after: after[field] });
  }
  for (const field of listFields) {
    const items = listDiff(before?.[field] ?? [], after[field]);
    if (items.some((item) => item.kind !== 'same')) diffs.push({ field, kind: 'list', items });
  }
  return diffs;
}

/** The server's leaf changes, gathered by the field they belong to, in reading order. */
export function changesByField(changes: readonly Change[]): FieldDiff[] {
  const lists = new Map<string, ItemDiff[]>();
  const diffs: FieldDiff[] = [];
  for (const change of changes) {
    const [field = '', ...rest] = pointer(change.path);
    const whole = rest.length === 0;
    if (whole && (Array.isArray(change.before) || Array.isArray(change.after))) {
      const old = Array.isArray(change.before) ? change.before.map(show) : [];
      const now = Array.isArray(change.after) ? change.after.map(show) : [];
      diffs.push({ field, kind: 'list', items: listDiff(old, now) });
    } else if (whole) {
      diffs.push({ field, kind: 'text', before: show(change.before), after: show(change.after) });
    } else {
      const before = show(change.before);
      const after = show(change.after);
      const kind = before === '' ? 'added' : after === '' ? 'removed' : 'changed';
      const items = lists.get(field);
      if (items) items.push({ kind, before, after });
      else lists.set(field, [{ kind, before, after }]);
    }
  }
  for (const [field, items] of lists) diffs.push({ field, kind: 'list', items });
  return diffs.sort((a, b) => rank(a.field) - rank(b.field));
}

/**
 * The text with the changes of a suggested edit in it. Items of a list are found
 * by what they said before, because an index moves when the topic is edited.
 */
export function withChanges<T extends TopicText>(text: T, changes: readonly Change[]): T {
  const next = structuredClone(text);
  for (const change of changes) {
    const [name = '', index] = pointer(change.path);
    if (index === undefined) {
      const gone = change.op === 'remove';
      if (isTextField(name)) next[name] = (gone ? '' : show(change.after)) as T[TextField];
      if (isListField(name)) {
        const items = !gone && Array.isArray(change.after) ? change.after.map(show) : [];
        next[name] = items as T[ListField];
      }
    } else if (isListField(name)) {
      editList(next[name], index, change);
    }
  }
  return next;
}

function editList(list: string[], index: string, change: Change): void {
  const at = index === '-' ? list.length : Number(index);
  const before = change.before === undefined ? undefined : show(change.before);
  const found = before === undefined ? -1 : list[at] === before ? at : list.indexOf(before);
  if (change.op === 'remove') {
    if (found >= 0) list.splice(found, 1);
  } else if (found >= 0) {
    list[found] = show(change.after);
  } else {
    list.splice(Math.min(at, list.length), 0, show(change.after));
  }
}

function isTextField(name: string): name is TextField {
  return (textFields as readonly string[]).includes(name);
}

function isListField(name: string): name is ListField {
  return (listFields as readonly string[]).includes(name);
}
