// Where a suggested edit meets what Knowledge became: what a person may choose, and what the text is then. Pure.

import type { Change, Conflict, Resolution, TopicText } from '../api/types';
import { withChanges } from '../diff/fields';

export type Side = 'current' | 'proposed' | 'own';

export interface Choice {
  side: Side;
  /** What the person wrote, when it is their own. */
  written: string;
}

/** Names a conflict together with its sides: a choice does not outlive what it was made between. */
export function conflictKey(conflict: Conflict): string {
  return JSON.stringify(conflict);
}

type Form = 'text' | 'lines' | 'json';

/** How a value is shown and written: a text as it is, a list of lines one per line, anything else as JSON. */
export function formOf({ current, proposed, base }: Conflict): Form {
  const sides = [current, proposed, base].filter((side) => side !== undefined && side !== null);
  if (sides.every((side) => typeof side === 'string')) return 'text';
  const line = (item: unknown): boolean => typeof item === 'string' && !item.includes('\n');
  return sides.every((side) => Array.isArray(side) && side.every(line)) ? 'lines' : 'json';
}

export function shown(value: unknown, form: Form): string {
  if (value === undefined || value === null) return '';
  if (form === 'lines') return (value as string[]).join('\n');
  return form === 'text' ? (value as string) : JSON.stringify(value, null, 2);
}

/** The value to keep; undefined as long as nothing is chosen or what was written is no JSON. */
export function settled(conflict: Conflict, choice: Choice | undefined): Resolution | undefined {
  const { path } = conflict;
  if (!choice) return undefined;
  if (choice.side !== 'own') return { path, value: conflict[choice.side] ?? null };
  switch (formOf(conflict)) {
    case 'text':
      return { path, value: choice.written };
    case 'lines': {
      const lines = choice.written.split('\n').map((line) => line.trim());
      return { path, value: lines.filter((line) => line !== '') };
    }
    case 'json':
      try {
        return { path, value: JSON.parse(choice.written) as unknown };
      } catch {
        return undefined;
      }
  }
}

/** The text once the edit's other changes and the chosen values are in it. */
export function resolvedText<T extends TopicText>(
  text: T,
  changes: readonly Change[],
  conflicts: readonly Conflict[],
  resolution: readonly Resolution[],
): T {
  const met = (path: string): boolean =>
    conflicts.some((c) => path === c.path || path.startsWith(`${c.path}/`));
  return withChanges(text, [
    ...changes.filter((change) => !met(change.path)),
    ...resolution.map(({ path, value }): Change => ({ op: 'set', path, after: value })),
  ]);
}
