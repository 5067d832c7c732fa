import { Button, Modal, MultiSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createArea, updateArea, type AreaText } from '../api/curation';
import { membersQuery } from '../api/members';
import { Problem } from '../api/problem';
import type { Area } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';

interface Props {
  /** What is changed, or a new one; nothing while it is closed. */
  area: Area | 'new' | null;
  onClose: () => void;
}

export function AreaDialog({ area, onClose }: Props) {
  const t = useText();
  const known = area === 'new' || area === null ? undefined : area;
  return (
    <Modal
      opened={area !== null}
      onClose={onClose}
      title={known ? t('areas.editOf', { name: known.name }) : t('areas.newTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <AreaForm known={known} onClose={onClose} />
    </Modal>
  );
}

function AreaForm({ known, onClose }: { known: Area | undefined; onClose: () => void }) {
  const { workspace } = useHere();
  const t = useText();
  const members = useQuery(membersQuery(workspace.slug));
  const [name, setName] = useState(known?.name ?? '');
  const [description, setDescription] = useState(known?.description ?? '');
  const [reviewers, setReviewers] = useState<string[]>(known?.reviewers ?? []);
  const save = useWrite(workspace.slug, (area: AreaText) =>
    known ? updateArea(workspace.slug, known.name, area) : createArea(workspace.slug, area),
  );
  const problem = save.error instanceof Problem ? save.error : undefined;
  const wrong = problem?.field('name') ?? problem?.field('new_name');
  // Who asked first has to be able to decide.
  const people = (members.data?.results ?? []).filter(
    ({ role, service }) => !service && (role === 'owner' || role === 'admin'),
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ name: name.trim(), description, reviewers }, { onSuccess: onClose });
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
          value={name}
          error={wrong}
          onChange={(event) => {
            setName(event.currentTarget.value);
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
        <MultiSelect
          label={t('areas.reviewers')}
          description={t('areas.reviewersHelp')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('areas.noReviewers') }}
          data={[
            ...people.map(({ person }) => ({
              value: person.email,
              label: person.name || person.email,
            })),
            ...reviewers
              .filter((email) => !people.some(({ person }) => person.email === email))
              .map((value) => ({ value, label: value })),
          ]}
          value={reviewers}
          onChange={setReviewers}
        />
        {save.error && !wrong && <Failure error={save.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
          {t('areas.save')}
        </Button>
      </DialogFoot>
    </form>
  );
}
