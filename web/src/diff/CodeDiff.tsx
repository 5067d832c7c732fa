import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { useText } from '../i18n';
import { base, readOnly } from './codemirror';
import type { DiffView } from './FieldDiffs';
import { wholeWords } from './whole';
import css from './diff.module.css';

interface Props {
  before: string;
  after: string;
  view: DiffView;
  label: string;
}

const collapse = { margin: 3, minSize: 6 };
const diffConfig = { override: wholeWords };

/** A long text against its earlier self, unchanged stretches folded. */
export default function CodeDiff({ before, after, view, label }: Props) {
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const unchanged = t('diff.unchanged');
  const [was, now] = [t('diff.before', { field: label }), t('diff.after', { field: label })];
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const words = EditorState.phrases.of({ '$ unchanged lines': unchanged });
    const editor =
      view === 'inline'
        ? new EditorView({
            parent,
            doc: after,
            extensions: [
              base(now),
              words,
              readOnly,
              unifiedMergeView({
                original: before,
                mergeControls: false,
                gutter: false,
                diffConfig,
                collapseUnchanged: collapse,
              }),
            ],
          })
        : new MergeView({
            parent,
            a: { doc: before, extensions: [base(was), words, readOnly] },
            b: { doc: after, extensions: [base(now), words, readOnly] },
            gutter: false,
            diffConfig,
            collapseUnchanged: collapse,
          });
    return () => {
      editor.destroy();
    };
  }, [before, after, view, was, now, unchanged]);
  return <div ref={host} className={css.code} />;
}
