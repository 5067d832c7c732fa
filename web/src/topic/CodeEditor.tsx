import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { base } from '../diff/codemirror';
import css from './topic.module.css';

interface Props {
  initial: string;
  label: string;
  onChange: (text: string) => void;
}

/** The Markdown editor. Tab leaves it, as everywhere on the page. */
export default function CodeEditor({ initial, label, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const view = new EditorView({
      parent,
      doc: initial,
      extensions: [
        base(label),
        history(),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed(update.state.doc.toString());
        }),
      ],
    });
    return () => {
      view.destroy();
    };
  }, [initial, label]);
  return <div ref={host} className={css.code} />;
}
