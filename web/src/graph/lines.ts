// How each type of edge is drawn. No two share their line and their end, so that colour is never needed to tell them apart.

interface Line {
  /** A token of tokens.css. */
  colour: string;
  dash: 'solid' | 'dashed' | 'dotted';
  end: 'none' | 'triangle' | 'vee' | 'tee' | 'circle' | 'diamond' | 'square';
}

export const lines = {
  depends_on: { colour: '--moss', dash: 'solid', end: 'triangle' },
  implements: { colour: '--moss', dash: 'dotted', end: 'square' },
  supersedes: { colour: '--ochre', dash: 'solid', end: 'vee' },
  blocks: { colour: '--rust', dash: 'solid', end: 'tee' },
  risk_for: { colour: '--rust', dash: 'dotted', end: 'diamond' },
  documents: { colour: '--ink-soft', dash: 'dotted', end: 'circle' },
  relates_to: { colour: '--ink-soft', dash: 'solid', end: 'none' },
  mention: { colour: '--ink-faint', dash: 'dashed', end: 'vee' },
} as const satisfies Record<string, Line>;

export type EdgeType = keyof typeof lines;

export const edgeTypes = Object.keys(lines) as EdgeType[];

export const lineOf = (type: string): Line =>
  Object.hasOwn(lines, type) ? lines[type as EdgeType] : lines.mention;
