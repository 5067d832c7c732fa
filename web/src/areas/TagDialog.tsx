import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { renameTag, saveTag } from '../api/curation';
import type { Tag } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';

interface Props {
  /** What is changed, or a new one; nothing while it is closed. */
  tag: Tag | 'new' | null;
  /** All names that are taken. */
  names: readonly string[];
  onClose: () => void;
}

export function TagDialog({ tag, names, onClose }: Props) {
  const t = useText();
  const known = tag === 'new' || tag === null ? undefined : tag;
  return (
    <Modal
      opened={tag !== null}
      onClose={onClose}
      title={known ? t('areas.editOf', { name: known.name }) : t('areas.newTag')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <TagForm known={known} names={names} onClose={onClose} />
    </Modal>
  );
}

/** The one form of a tag, as the server keeps it. */
const tagged = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '-');

function TagForm({
  known,
  names,
  onClose,
}: Pick<Props, 'names' | 'onClose'> & { known: Tag | undefined }) {
  const { workspace } = useHere();
  const t = useText();
  const [text, setText] = useState(known?.name ?? '');
  const [description, setDescription] = useState(known?.description ?? '');
  const name = tagged(text);
  // Renaming onto another tag would merge the two, which is asked for on its own.
  const taken = name !== known?.name && names.includes(name);
  const save = useWrite(workspace.slug, async () => {
    if (known && known.name !== name) await renameTag(workspace.slug, known.name, name);
    if (!known || description !== (known.description ?? ''))
      await saveTag(workspace.slug, name, description);
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined, { onSuccess: onClose });
      }}
    >
      <Stack gap="md">
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          label={t('areas.name')}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={taken && t('areas.taken', { name })}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
        />
        <Textarea
          label={t('areas.description')}
          autosize
          minRows={2}
          maxLength={500}
          value={description}
          onChange={(event) => {
            setDescription(event.currentTarget.value);
          }}
        />
        {save.error && <Failure error={save.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={name === '' || taken}>
          {t('areas.save')}
        </Button>
      </DialogFoot>
    </form>
  );
}
