import { Change, presentableDiff } from '@codemirror/merge';

const word = /[\p{L}\p{N}\p{M}_]/u;

/** Whether a place in a text lies between two characters of one word. */
function splits(text: string, at: number): boolean {
  return word.test(text[at - 1] ?? '') && word.test(text[at] ?? '');
}

/** What differs between two texts, widened so that no change begins or ends inside a word. */
export function wholeWords(a: string, b: string): Change[] {
  const changes = presentableDiff(a, b);
  const whole: Change[] = [];
  changes.forEach(({ fromA, toA, fromB, toB }, i) => {
    // Between two changes both texts say the same, so their edges move together there.
    const leftmost = changes[i - 1]?.toA ?? 0;
    const rightmost = changes[i + 1]?.fromA ?? a.length;
    while (fromA > leftmost && (splits(a, fromA) || splits(b, fromB))) {
      fromA--;
      fromB--;
    }
    while (toA < rightmost && (splits(a, toA) || splits(b, toB))) {
      toA++;
      toB++;
    }
    const last = whole.at(-1);
    if (last && fromA <= last.toA)
      whole[whole.length - 1] = new Change(last.fromA, toA, last.fromB, toB);
    else whole.push(new Change(fromA, toA, fromB, toB));
  });
  return whole;
}
