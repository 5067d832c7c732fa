import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Action, Topic } from '../api/types';
import {
  approveTopic,
  archiveTopic,
  deleteTopic,
  proposeTopic,
  rejectProposal,
  restoreFromTrash,
  useWrite,
  verifyTopic,
  withdrawTopic,
} from '../api/writes';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { useProblemText } from '../parts/States';
import { ApproveDialog } from '../review/ApproveDialog';
import { ReasonDialog } from '../review/ReasonDialog';
import { ShareDialog } from '../share/ShareDialog';
import { useHere } from '../shell/workspace';
import { DeleteDialog } from './DeleteDialog';
import { VerifyDialog } from './VerifyDialog';
import css from './topic.module.css';

type Dialog = 'share' | 'approve' | 'reject' | 'request_changes' | 'verify' | 'delete';

interface Props {
  topic: Topic;
  onEdit: () => void;
}

/** The actions the server allows this person on this topic, and no others. */
export function TopicActions({ topic, onEdit }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const notify = useNotify();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const may = (action: Action): boolean => topic.allowed_actions.includes(action);
  const write = useWrite(ws, (run: () => Promise<unknown>) => run());
  const problem = useProblemText(write.error);

  const act = (run: () => Promise<unknown>, said: string, after?: () => void): void => {
    write.mutate(run, {
      onSuccess() {
        setDialog(null);
        notify(said);
        after?.();
      },
    });
  };
  const close = (): void => {
    setDialog(null);
    write.reset();
  };
  const title = topic.title;

  return (
    <>
      <Group gap={8} className={css.actions}>
        {may('approve') && (
          <Button
            onClick={() => {
              setDialog('approve');
            }}
          >
            {t('review.approve')}
          </Button>
        )}
        {may('propose') && (
          <Button
            loading={write.isPending}
            onClick={() => {
              act(() => proposeTopic(ws, topic.slug), t('topic.proposed', { title }));
            }}
          >
            {t('topic.propose')}
          </Button>
        )}
        {(may('update') || may('suggest_edit')) && (
          <Button variant="default" onClick={onEdit}>
            {t(may('update') ? 'review.edit' : 'topic.suggestEdit')}
          </Button>
        )}
        {topic.trust === 'reviewed' && may('verify') && (
          <Button
            variant="default"
            onClick={() => {
              setDialog('verify');
            }}
          >
            {t('topic.verify')}
          </Button>
        )}
        {may('request_changes') && (
          <Button
            variant="default"
            onClick={() => {
              setDialog('request_changes');
            }}
          >
            {t('review.requestChanges')}
          </Button>
        )}
        {may('reject') && (
          <Button
            variant="default"
            onClick={() => {
              setDialog('reject');
            }}
          >
            {t('review.reject')}
          </Button>
        )}
        {may('withdraw') && (
          <Button
            variant="default"
            onClick={() => {
              act(() => withdrawTopic(ws, topic.slug), t('topic.withdrawn', { title }));
            }}
          >
            {t('topic.withdraw')}
          </Button>
        )}
        {may('restore') && (
          <Button
            variant="default"
            onClick={() => {
              act(() => archiveTopic(ws, topic.slug, true), t('topic.restored', { title }));
            }}
          >
            {t('topic.restore')}
          </Button>
        )}
        {workspace.role !== 'viewer' && (
          <Button
            variant="default"
            onClick={() => {
              setDialog('share');
            }}
          >
            {t('topic.share')}
          </Button>
        )}
        {may('archive') && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              act(() => archiveTopic(ws, topic.slug, false), t('topic.archived', { title }));
            }}
          >
            {t('topic.archive')}
          </Button>
        )}
        {may('delete') && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setDialog('delete');
            }}
          >
            {t('topic.delete')}
          </Button>
        )}
      </Group>
      {write.error && dialog === null && (
        <p role="alert" className={css.problem}>
          {problem.title} {problem.hint}
        </p>
      )}
      <ShareDialog opened={dialog === 'share'} topic={topic} onClose={close} />
      <ApproveDialog
        opened={dialog === 'approve'}
        topic={topic}
        edit={false}
        warnings={topic.content_warnings ?? []}
        pending={write.isPending}
        error={write.error}
        onClose={close}
        onApprove={() => {
          act(() => approveTopic(ws, topic), t('review.approved', { title }));
        }}
      />
      <ReasonDialog
        opened={dialog === 'reject' || dialog === 'request_changes'}
        rejecting={dialog === 'reject'}
        title={title}
        pending={write.isPending}
        error={write.error}
        onClose={close}
        onSubmit={(reason) => {
          const changes = dialog === 'request_changes';
          act(
            () => rejectProposal(ws, { kind: 'note', slug: topic.slug }, reason, changes),
            t(changes ? 'review.changesAsked' : 'review.rejected', { title }),
          );
        }}
      />
      <VerifyDialog
        opened={dialog === 'verify'}
        title={title}
        pending={write.isPending}
        error={write.error}
        onClose={close}
        onVerify={(verification) => {
          act(() => verifyTopic(ws, topic.slug, verification), t('topic.verified', { title }));
        }}
      />
      <DeleteDialog
        opened={dialog === 'delete'}
        topic={topic}
        pending={write.isPending}
        error={write.error}
        onClose={close}
        onDelete={() => {
          write.mutate(() => deleteTopic(ws, topic.slug), {
            onSuccess() {
              setDialog(null);
              void navigate({ to: '/w/$ws/notes', params: { ws } });
              notify(
                <Group justify="space-between" wrap="nowrap">
                  <span>{t('topic.deleted', { title })}</span>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => {
                      act(() => restoreFromTrash(ws, topic.slug), t('topic.restored', { title }));
                    }}
                  >
                    {t('topic.undo')}
                  </Button>
                </Group>,
                { autoClose: 15_000 },
              );
            },
          });
        }}
      />
    </>
  );
}
