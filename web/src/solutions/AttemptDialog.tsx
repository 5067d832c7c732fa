import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { addAttempt, type Environment, type NewAttempt } from '../api/solutions';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { filled } from './environment';
import { EnvironmentFields } from './EnvironmentFields';

interface Props {
  opened: boolean;
  /** The slug of the topic. */
  topic: string;
  /** Where the reader says to be. */
  from: Environment;
  known: readonly Environment[];
  onClose: () => void;
}

/** Tells what was tried in vain, where there is no answer yet. */
export function AttemptDialog({ opened, onClose, ...rest }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('solutions.addAttempt')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <AttemptForm onClose={onClose} {...rest} />
    </Modal>
  );
}

function AttemptForm({ topic, from, known, onClose }: Omit<Props, 'opened'>) {
  const { workspace } = useHere();
  const t = useText();
  const [env, setEnv] = useState(from);
  const [summary, setSummary] = useState('');
  const [steps, setSteps] = useState('');
  const [reason, setReason] = useState('');
  const add = useWrite(workspace.slug, (body: NewAttempt) =>
    addAttempt(workspace.slug, topic, body),
  );
  const lines = steps.split('\n').flatMap((line) => line.trim() || []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(
          {
            environment: filled(env),
            summary: summary.trim(),
            steps: lines,
            reason: reason.trim(),
          },
          { onSuccess: onClose },
        );
      }}
    >
      <Stack gap="sm">
        <EnvironmentFields value={env} known={known} onChange={setEnv} />
        <TextInput
          data-autofocus
          required
          label={t('solutions.tried')}
          maxLength={500}
          value={summary}
          onChange={(event) => {
            setSummary(event.currentTarget.value);
          }}
        />
        <Textarea
          required
          label={t('solutions.steps')}
          description={t('solutions.stepsHelp')}
          autosize
          minRows={3}
          maxRows={12}
          value={steps}
          onChange={(event) => {
            setSteps(event.currentTarget.value);
          }}
        />
        <Textarea
          required
          label={t('solutions.failedWhy')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value);
          }}
        />
        {add.error && <Failure error={add.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={add.isPending}>
          {t('solutions.tell')}
        </Button>
      </DialogFoot>
    </form>
  );
}
