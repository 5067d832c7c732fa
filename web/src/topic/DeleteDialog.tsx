import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Topic } from '../api/types';
import { useText } from '../i18n';
import { Failure } from '../parts/States';

interface Props {
  opened: boolean;
  topic: Topic;
  pending: boolean;
  error: Error | null;
  onDelete: () => void;
  onClose: () => void;
}

/** Deletion goes to the trash; Knowledge asks for its slug to be typed as well. */
export function DeleteDialog({ opened, topic, pending, error, onDelete, onClose }: Props) {
  const t = useText();
  const [typed, setTyped] = useState('');
  const needsTyping = topic.trust === 'reviewed';
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('delete.title', { title: topic.title })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onDelete();
        }}
      >
        <p>{t('delete.text')}</p>
        {needsTyping && (
          <TextInput
            data-autofocus
            label={t('delete.type', { slug: topic.slug })}
            value={typed}
            autoComplete="off"
            onChange={(event) => {
              setTyped(event.currentTarget.value);
            }}
          />
        )}
        {error && <Failure error={error} />}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            color="rust"
            loading={pending}
            disabled={needsTyping && typed !== topic.slug}
          >
            {t('topic.delete')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
