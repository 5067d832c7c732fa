import { Button, Group, Modal, SegmentedControl, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import type { TopicText } from '../api/types';
import type { Field } from '../diff/fields';
import type { Merge } from '../diff/merge';
import { useText } from '../i18n';
import css from './topic.module.css';

const MergeEditor = lazy(() => import('./MergeEditor'));

interface Props {
  merge: Merge;
  theirs: TopicText;
  revision: number;
  onResolve: (text: TopicText) => void;
  onClose: () => void;
}

/** Someone else saved first: both sides of every field that both changed, and a choice for each. */
export function ConflictDialog({ merge, theirs, revision, onResolve, onClose }: Props) {
  const t = useText();
  const phone = useMediaQuery('(max-width: 767px)');
  const [text, setText] = useState(merge.text);
  const set = <F extends Field>(field: F, value: TopicText[F]): void => {
    setText((now) => ({ ...now, [field]: value }));
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size={980}
      fullScreen={phone}
      title={t('conflict.title', { n: revision })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p className={css.conflictText}>
        {t(merge.conflicts.length > 0 ? 'conflict.text' : 'conflict.clean')}
      </p>
      {merge.taken.length > 0 && (
        <p className="soft">
          {t('conflict.taken', { fields: merge.taken.map((f) => t(`field.${f}`)).join(', ') })}
        </p>
      )}
      {merge.conflicts.map((field) => (
        <section key={field} className={css.conflict}>
          <h3>{t(`field.${field}`)}</h3>
          {field === 'content' ? (
            <>
              <div className={css.sides} aria-hidden="true">
                <span>{t('conflict.theirs')}</span>
                <span>{t('conflict.mine')}</span>
              </div>
              <Suspense fallback={<Skeleton height={240} />}>
                <MergeEditor
                  theirs={theirs.content}
                  mine={merge.text.content}
                  onChange={(content) => {
                    set('content', content);
                  }}
                />
              </Suspense>
            </>
          ) : (
            <>
              <div className={css.both}>
                <div>
                  <h4>{t('conflict.theirs')}</h4>
                  <pre>{shown(theirs[field])}</pre>
                </div>
                <div>
                  <h4>{t('conflict.mine')}</h4>
                  <pre>{shown(merge.text[field])}</pre>
                </div>
              </div>
              <SegmentedControl
                size="xs"
                aria-label={t('conflict.keep', { field: t(`field.${field}`) })}
                defaultValue="mine"
                data={[
                  { value: 'theirs', label: t('conflict.keepTheirs') },
                  { value: 'mine', label: t('conflict.keepMine') },
                  ...(Array.isArray(theirs[field])
                    ? [{ value: 'both', label: t('conflict.keepBoth') }]
                    : []),
                ]}
                onChange={(side) => {
                  set(field, choose(side, theirs[field], merge.text[field]));
                }}
              />
            </>
          )}
        </section>
      ))}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('conflict.back')}
        </Button>
        <Button
          data-autofocus={merge.conflicts.length === 0 || undefined}
          onClick={() => {
            onResolve(text);
          }}
        >
          {t('conflict.save')}
        </Button>
      </Group>
    </Modal>
  );
}

function shown(value: string | string[]): string {
  return Array.isArray(value) ? value.map((item) => `· ${item}`).join('\n') : value;
}

function choose<V extends string | string[]>(side: string, theirs: V, mine: V): V {
  if (side === 'both' && Array.isArray(theirs) && Array.isArray(mine)) {
    return [...new Set([...theirs, ...mine])] as V;
  }
  return side === 'theirs' ? theirs : mine;
}
