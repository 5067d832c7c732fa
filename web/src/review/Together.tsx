import { Button, Group, Modal, Progress, Skeleton, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { shownQuery } from '../api/queries';
import type { QueueItem, TopicText } from '../api/types';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { submitOnCtrlEnter } from '../parts/submitOnCtrlEnter';
import { ExactText, Warnings } from '../parts/TopicFields';
import { useHere } from '../shell/workspace';
import { keyOf, type Lane } from './queue';
import css from './review.module.css';
import { useTogether, type Joint } from './useTogether';

/** What was asked for, with the items as they were then: what leaves the queue meanwhile stays in sight. */
export interface Occasion {
  lane: Lane;
  items: readonly QueueItem[];
  joint: Joint;
}

interface Props {
  /** Nothing while the dialog is closed. */
  occasion: Occasion | null;
  onClose: () => void;
}

/** Several decisions in one go. What becomes Knowledge is shown in full, one text below the other. */
export function Together({ occasion, onClose }: Props) {
  const t = useText();
  const phone = useMediaQuery('(max-width: 767px)');
  return (
    <Modal
      opened={occasion !== null}
      onClose={onClose}
      size={760}
      fullScreen={phone}
      title={occasion && t.count(titleOf(occasion), occasion.items.length)}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ body: css.sheet }}
    >
      {occasion && <Sheet occasion={occasion} onClose={onClose} />}
    </Modal>
  );
}

function titleOf({ lane, joint }: Pick<Occasion, 'lane' | 'joint'>) {
  if (lane === 'drift') return joint === 'approve' ? 'together.verify' : 'together.archive';
  if (joint === 'approve') return lane === 'edits' ? 'together.merge' : 'together.approve';
  return joint === 'reject' ? 'together.reject' : 'together.changes';
}

function Sheet({ occasion, onClose }: { occasion: Occasion; onClose: () => void }) {
  const { lane, joint } = occasion;
  const { workspace } = useHere();
  const t = useText();
  const notify = useNotify();
  const together = useTogether(workspace.slug);
  const [items, setItems] = useState(occasion.items);
  const [reason, setReason] = useState('');
  const shows = joint === 'approve' && lane !== 'drift';
  const topics = useQueries({
    queries:
      shows && lane === 'notes' ? items.map(({ slug }) => shownQuery(workspace.slug, slug)) : [],
  });
  const textOf = (item: QueueItem, i: number): TopicText | undefined =>
    item.kind === 'edit' ? item.merged : topics[i]?.data;

  // An edit that meets newer Knowledge needs a choice, which one makes looking at it alone.
  const conflicting = items.filter((item) => shows && item.kind === 'edit' && !item.merged);
  const able = items.filter((item) => !conflicting.includes(item));
  const needsReason = joint !== 'approve' && lane !== 'drift';
  const takesReason = needsReason || (lane === 'drift' && joint === 'approve');
  const shown = !shows || able.every((item) => textOf(item, items.indexOf(item)));
  const running = together.tried !== undefined;
  const ready = shown && able.length > 0 && (!needsReason || reason.trim() !== '');

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready || running) return;
        void together.run(joint, able, reason.trim()).then((done) => {
          if (done.size > 0) notify(t.count('together.done', done.size));
          const left = items.filter((item) => !done.has(keyOf(item)));
          if (left.length === 0) onClose();
          setItems(left);
        });
      }}
    >
      <div className={css.sheetText}>
        {shows && <p className="soft">{t('together.text')}</p>}
        {conflicting.length > 0 && (
          <p className="soft">{t.count('together.conflicting', conflicting.length)}</p>
        )}
        <ul className={css.joint}>
          {items.map((item, i) => {
            const text = textOf(item, i);
            return (
              <li key={keyOf(item)}>
                <h3>{item.title}</h3>
                {together.failures.has(keyOf(item)) && (
                  <Failure error={together.failures.get(keyOf(item))} />
                )}
                {shows && item.kind !== 'drift' && <Warnings warnings={item.content_warnings} />}
                {shows && text && <ExactText topic={text} />}
                {shows && !text && !conflicting.includes(item) && <Skeleton height={120} />}
              </li>
            );
          })}
        </ul>
        {takesReason && (
          <Textarea
            data-autofocus
            required={needsReason}
            label={t(needsReason ? 'reason.label' : 'verify.note')}
            description={t(needsReason ? 'together.reasonText' : 'verify.text')}
            minRows={3}
            maxRows={12}
            autosize
            maxLength={needsReason ? 10_000 : 2000}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
            }}
            onKeyDown={submitOnCtrlEnter}
          />
        )}
      </div>
      <div className={css.sheetFoot}>
        {running && (
          <Progress
            mb={12}
            value={((together.tried ?? 0) / able.length) * 100}
            aria-label={t('together.progress')}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            data-autofocus={!takesReason || undefined}
            color={needsReason && joint === 'reject' ? 'rust' : undefined}
            loading={running}
            // Not ready yet is no reason to lose the keyboard's focus: the texts are on their way.
            data-disabled={!ready || undefined}
            aria-disabled={!ready}
          >
            {t.count(titleOf(occasion), able.length)}
          </Button>
        </Group>
      </div>
    </form>
  );
}
