import type { KeyboardEvent } from 'react';

/** Ctrl+Enter or ⌘+Enter in a field of many lines sends its form, as Enter does in a field of one. */
export function submitOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
    event.currentTarget.form?.requestSubmit();
  }
}
