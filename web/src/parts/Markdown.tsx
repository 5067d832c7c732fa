import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { MarkdownProps } from './MarkdownView';

const Rendered = lazy(() => import('./MarkdownView'));

/** Topic text as Markdown. The renderer comes in its own chunk; its place is held meanwhile. */
export function Markdown(props: MarkdownProps) {
  const lines = Math.min(12, Math.max(1, props.text.split('\n').length));
  return (
    <Suspense fallback={<Skeleton height={lines * 22} />}>
      <Rendered {...props} />
    </Suspense>
  );
}
