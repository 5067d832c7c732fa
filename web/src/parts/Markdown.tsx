import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const Rendered = lazy(() => import('./MarkdownView'));

/** Topic text as Markdown. The renderer comes in its own chunk; its place is held meanwhile. */
export function Markdown({ text, workspace }: { text: string; workspace: string }) {
  const lines = Math.min(12, Math.max(1, text.split('\n').length));
  return (
    <Suspense fallback={<Skeleton height={lines * 22} />}>
      <Rendered text={text} workspace={workspace} />
    </Suspense>
  );
}
