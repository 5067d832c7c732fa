import { diffWordsWithSpace } from 'diff';

export interface WordPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

// Below this share of common text a word diff reads as confetti.
const leastCommon = 0.4;

/** A text against its earlier self, word by word; as a whole when little of it stayed. */
export function wordDiff(before: string, after: string): WordPart[] {
  const parts = diffWordsWithSpace(before, after).map((part): WordPart => ({
    kind: part.added ? 'added' : part.removed ? 'removed' : 'same',
    text: part.value,
  }));
  const common = parts.reduce((n, p) => n + (p.kind === 'same' ? visible(p.text) : 0), 0);
  const longest = Math.max(visible(before), visible(after));
  if (before === '' || after === '' || common >= longest * leastCommon) return parts;
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

function visible(text: string): number {
  return text.replace(/\s/g, '').length;
}
