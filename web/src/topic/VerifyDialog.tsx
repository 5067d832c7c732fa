import { Button, Group, Modal, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Verification } from '../api/types';
import { useText } from '../i18n';
import { submitOnCtrlEnter } from '../parts/submitOnCtrlEnter';
import { Failure } from '../parts/States';

interface Props {
  opened: boolean;
  title: string;
  /** The commit that put it in doubt. */
  commit?: string;
  pending: boolean;
  error: Error | null;
  onVerify: (verification: Verification) => void;
  onClose: () => void;
}

/** Says that Knowledge still holds: the text stays, what was in doubt is settled. */
export function VerifyDialog(props: Props) {
  const { opened, title, pending, error, onVerify, onClose } = props;
  const t = useText();
  const [note, setNote] = useState('');
  const [typed, setCommit] = useState<string>();
  const commit = typed ?? props.commit ?? '';
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('verify.title', { title })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onVerify({ note: note.trim() || undefined, commit: commit.trim() || undefined });
        }}
      >
        <Textarea
          data-autofocus
          label={t('verify.note')}
          description={t('verify.text')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          value={note}
          onChange={(event) => {
            setNote(event.currentTarget.value);
          }}
          onKeyDown={submitOnCtrlEnter}
        />
        <TextInput
          label={t('verify.commit')}
          mt="sm"
          maxLength={64}
          pattern="[0-9a-fA-F]{4,64}"
          autoComplete="off"
          classNames={{ input: 'mono' }}
          value={commit}
          onChange={(event) => {
            setCommit(event.currentTarget.value);
          }}
        />
        {error && <Failure error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={pending}>
            {t('topic.verify')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
