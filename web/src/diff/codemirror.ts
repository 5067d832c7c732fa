// The look of CodeMirror, shared by the editor and the diff, in the console's tokens.

import { markdown } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { nonce } from '../nonce';

const look = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--added-strong)',
  },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-changedLine, &.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--removed)' },
  '.cm-changedText, &.cm-merge-b .cm-changedText': {
    background: 'var(--added-strong)',
    textDecoration: 'underline',
    textDecorationColor: 'var(--moss)',
  },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'var(--removed-strong)',
    textDecoration: 'line-through',
    textDecorationColor: 'var(--rust)',
  },
  '.cm-deletedChunk': { paddingLeft: '12px' },
  '.cm-collapsedLines': {
    background: 'var(--hover)',
    color: 'var(--ink-soft)',
    padding: '4px 12px',
    fontFamily: 'var(--mantine-font-family)',
    '&:before, &:after': { content: '"···"' },
  },
});

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--moss)' },
  { tag: tags.url, color: 'var(--moss)' },
  { tag: tags.monospace, color: 'var(--ochre)' },
  { tag: tags.processingInstruction, color: 'var(--ink-faint)' },
  { tag: tags.quote, color: 'var(--ink-soft)' },
]);

export function base(label: string): Extension {
  return [
    EditorView.cspNonce.of(nonce),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
    markdown(),
    syntaxHighlighting(highlight),
    look,
  ];
}

export const readOnly: Extension = [EditorState.readOnly.of(true), EditorView.editable.of(false)];
