// Turns [[slug]] in Markdown text into a link node, outside of code and links.

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
  data?: { hName: string; hProperties: Record<string, string> };
}

const mention = /\[\[([a-z0-9][a-z0-9-]{0,79})\]\]/g;

/** A text split at its mentions. */
export function splitMentions(text: string): ({ text: string } | { slug: string })[] {
  const parts: ({ text: string } | { slug: string })[] = [];
  let from = 0;
  for (const match of text.matchAll(mention)) {
    const [whole, slug = ''] = match;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ slug });
    from = match.index + whole.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

export function remarkMentions() {
  return (tree: Node): void => {
    visit(tree);
  };
}

function visit(node: Node): void {
  if (!node.children || node.type === 'link' || node.type === 'linkReference') return;
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text' && child.value?.includes('[[')) return split(child.value);
    visit(child);
    return [child];
  });
}

function split(value: string): Node[] {
  return splitMentions(value).map((part) =>
    'slug' in part
      ? {
          type: 'mention',
          data: { hName: 'a', hProperties: { dataMention: part.slug } },
          children: [{ type: 'text', value: part.slug }],
        }
      : { type: 'text', value: part.text },
  );
}
