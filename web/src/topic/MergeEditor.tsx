import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { MergeView } from '@codemirror/merge';
import { EditorView, keymap } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { base, readOnly } from '../diff/codemirror';
import { useText } from '../i18n';
import css from './topic.module.css';

interface Props {
  theirs: string;
  mine: string;
  onChange: (text: string) => void;
}

/** Their text beside mine; mine can be edited, and single stretches taken over. */
export default function MergeEditor({ theirs, mine, onChange }: Props) {
  const t = useText();
  const host = useRef<HTMLDivElement>(null);
  const changed = useEffectEvent(onChange);
  const [theirLabel, myLabel] = [t('conflict.theirs'), t('conflict.mine')];
  useEffect(() => {
    const parent = host.current;
    if (!parent) return;
    const view = new MergeView({
      parent,
      a: { doc: theirs, extensions: [base(theirLabel), readOnly] },
      b: {
        doc: mine,
        extensions: [
          base(myLabel),
          history(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      },
      revertControls: 'a-to-b',
      collapseUnchanged: { margin: 3, minSize: 6 },
    });
    return () => {
      view.destroy();
    };
    // The texts are where it starts; after that the editor owns them.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [theirLabel, myLabel]);
  return <div ref={host} className={css.code} />;
}
