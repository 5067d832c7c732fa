import type { AskSource } from '../api/ask';

/** A part of an answer with the sources that it names, by their numbers from 1. */
export interface Part {
  text: string;
  cites: number[];
}

/** Splits an answer after each citation that ends a paragraph. Numbers without a source stay text. */
export function parts(answer: string, sources: number): Part[] {
  return answer
    .split(/(?<=\[\d+\])\n\n/)
    .map((block) => {
      const cites = new Set(
        [...block.matchAll(/\[(\d+)\]/g)]
          .map(([, digits]) => Number(digits))
          .filter((n) => n >= 1 && n <= sources),
      );
      const last = /\s*\[(\d+)\]\s*$/.exec(block);
      const known = last && cites.has(Number(last[1]));
      return {
        text: known ? block.slice(0, last.index) : block,
        cites: [...cites].sort((a, b) => a - b),
      };
    })
    .filter(({ text }) => text.trim() !== '');
}

/** An answer as the text of a note: the question, the answer, and its sources as mentions. */
export function noteOf(question: string, answer: string, sources: readonly AskSource[]): string {
  const list = sources.map(({ slug }, i) => `${String(i + 1)}. [[${slug}]]`).join('\n');
  return `> ${question.trim().replaceAll('\n', '\n> ')}\n\n${answer}\n\n${list}\n`;
}

const titleMax = 120;

/** A title for the note: the question, as far as a title may go. */
export function titleOf(question: string): string {
  const line = question.trim().replace(/\s+/g, ' ');
  return line.length <= titleMax ? line : `${line.slice(0, titleMax - 1)}…`;
}
