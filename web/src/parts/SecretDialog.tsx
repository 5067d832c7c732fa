import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../i18n';
import { CopyLines } from './Copy';
import { DialogFoot } from './Section';

interface Props {
  title: string;
  text: ReactNode;
  /** What can be copied, by its name; nothing while there is nothing to show. */
  values: { label: string; value: string }[] | null;
  done: string;
  onClose: () => void;
}

/** Shows what is answered once. A click beside it does not close it. */
export function SecretDialog({ title, text, values, done, onClose }: Props) {
  const t = useText();
  return (
    <Modal
      opened={values !== null}
      onClose={onClose}
      closeOnClickOutside={false}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <p>{text}</p>
      {values?.map(({ label, value }) => (
        <div key={label}>
          {values.length > 1 && <p className="soft">{label}</p>}
          <CopyLines text={value} label={label} />
        </div>
      ))}
      <DialogFoot>
        <Button onClick={onClose}>{done}</Button>
      </DialogFoot>
    </Modal>
  );
}
