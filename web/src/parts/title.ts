import { useDocumentTitle } from '@mantine/hooks';

/** The page's name in the browser's tab and history. */
export function useTitle(title: string): void {
  useDocumentTitle(`${title} · Driftless`);
}
