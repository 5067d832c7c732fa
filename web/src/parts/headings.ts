// Fits the headings of a text below those of the page around it.

interface Node {
  type: string;
  value?: string;
  depth?: number;
  children?: Node[];
}

const first = 3;
const last = 6;

/** The text's highest heading becomes an h3, the others keep their distance to it. */
export function remarkHeadings() {
  return (tree: Node): void => {
    const headings: Node[] = [];
    collect(tree, headings);
    const highest = Math.min(...headings.map((node) => node.depth ?? last));
    for (const node of headings) {
      node.depth = Math.min(last, first + (node.depth ?? last) - highest);
    }
  };
}

function collect(node: Node, into: Node[]): void {
  if (node.type === 'heading') into.push(node);
  for (const child of node.children ?? []) collect(child, into);
}

/** Leaves out a first heading that only repeats the title above the text, as documents do. */
export function remarkWithoutTitle(title?: string) {
  return (tree: Node): void => {
    const [head] = tree.children ?? [];
    if (title === undefined || head?.type !== 'heading') return;
    if (plain(words(head)) === plain(title)) tree.children?.shift();
  };
}

function words(node: Node): string {
  return (node.value ?? '') + (node.children ?? []).map(words).join('');
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ').toLowerCase();
}
