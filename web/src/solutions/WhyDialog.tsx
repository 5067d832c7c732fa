import { Button, Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';

interface Props {
  /** What needs a reason; nothing while the dialog is closed. */
  kind: 'failed' | 'clear' | null;
  /** The solution, by where it applies. */
  name: string;
  /** Where the report is from. */
  where: string;
  pending: boolean;
  error: Error | null;
  onSubmit: (reason: string) => void;
  onClose: () => void;
}

/** A failure, and setting failures aside, always say why. */
export function WhyDialog({ kind, name, onClose, ...rest }: Props) {
  const t = useText();
  return (
    <Modal
      opened={kind !== null}
      onClose={onClose}
      title={kind && t(`solutions.${kind}Of`, { name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {kind && <Why kind={kind} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function Why({
  kind,
  where,
  pending,
  error,
  onSubmit,
  onClose,
}: Omit<Props, 'name' | 'kind'> & { kind: 'failed' | 'clear' }) {
  const t = useText();
  const [reason, setReason] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') onSubmit(reason.trim());
      }}
    >
      <p>{t(`solutions.${kind}Text`, { where })}</p>
      <Textarea
        data-autofocus
        required
        label={t(`solutions.${kind}Why`)}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2000}
        value={reason}
        onChange={(event) => {
          setReason(event.currentTarget.value);
        }}
      />
      {error && <Failure error={error} />}
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={pending} disabled={reason.trim() === ''}>
          {t(kind === 'failed' ? 'solutions.tell' : 'solutions.clear')}
        </Button>
      </DialogFoot>
    </form>
  );
}
