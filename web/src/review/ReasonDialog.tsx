import { Button, Group, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { submitOnCtrlEnter } from '../parts/submitOnCtrlEnter';

interface Props {
  opened: boolean;
  rejecting: boolean;
  title: string;
  pending: boolean;
  error: Error | null;
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

/** A rejection or a request for changes always says why. */
export function ReasonDialog({
  opened,
  rejecting,
  title,
  pending,
  error,
  onSubmit,
  onClose,
}: Props) {
  const t = useText();
  const [reason, setReason] = useState('');
  const submit = (): void => {
    if (reason.trim() !== '' && !pending) onSubmit(reason.trim());
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t(rejecting ? 'reason.reject' : 'reason.changes', { title })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Textarea
          data-autofocus
          required
          label={t('reason.label')}
          description={t(rejecting ? 'reason.rejectText' : 'reason.changesText')}
          minRows={4}
          maxRows={12}
          autosize
          maxLength={10_000}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value);
          }}
          onKeyDown={submitOnCtrlEnter}
        />
        {error && <Failure error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            color={rejecting ? 'rust' : undefined}
            loading={pending}
            disabled={reason.trim() === ''}
          >
            {t(rejecting ? 'review.reject' : 'review.requestChanges')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
