import { Button, Modal, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useText } from '../i18n';
import { DialogFoot } from './Section';
import { Failure } from './States';

interface Props {
  opened: boolean;
  title: string;
  /** What happens, and whether there is a way back. */
  children: ReactNode;
  /** What has to be typed first, where there is no way back. */
  typed?: string;
  action: string;
  /** There is a way back, so that one key is enough. */
  reversible?: boolean;
  pending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something ends. */
export function ConfirmDialog({ opened, title, onClose, ...rest }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Question onClose={onClose} {...rest} />
    </Modal>
  );
}

function Question({
  children,
  typed,
  action,
  reversible = false,
  pending,
  error,
  onConfirm,
  onClose,
}: Omit<Props, 'opened' | 'title'>) {
  const t = useText();
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onConfirm();
      }}
    >
      <p>{children}</p>
      {typed !== undefined && (
        <TextInput
          data-autofocus
          label={t('confirmTyped', { text: typed })}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
        />
      )}
      {error && <Failure error={error} />}
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          data-autofocus={reversible || undefined}
          color={reversible ? undefined : 'rust'}
          loading={pending}
          disabled={typed !== undefined && text.trim() !== typed}
        >
          {action}
        </Button>
      </DialogFoot>
    </form>
  );
}
