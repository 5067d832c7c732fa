import { Button, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';

interface Counted {
  name: string;
  count: number;
}

interface Props {
  /** What ends; nothing while it is closed. */
  from: Counted | null;
  others: readonly Counted[];
  pending: boolean;
  error: Error | null;
  onMerge: (from: string, into: string) => void;
  onClose: () => void;
}

/** Asks into which of the others one is merged, and for its name, because there is no way back. */
export function MergeDialog({ from, onClose, ...rest }: Props) {
  const t = useText();
  return (
    <Modal
      opened={from !== null}
      onClose={onClose}
      title={t('areas.mergeOf', { name: from?.name ?? '' })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {from && <MergeForm from={from} onClose={onClose} {...rest} />}
    </Modal>
  );
}

function MergeForm({ from, others, pending, error, onMerge, onClose }: Props & { from: Counted }) {
  const t = useText();
  const [into, setInto] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const target = others.find(({ name }) => name === into);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (into) onMerge(from.name, into);
      }}
    >
      <Stack gap="md">
        <Select
          data-autofocus
          label={t('areas.into')}
          searchable
          limit={100}
          data={others.map(({ name }) => name)}
          value={into}
          onChange={setInto}
        />
        <p>
          {t.count('areas.moves', from.count)}{' '}
          {target && t.count('areas.joins', target.count, { name: target.name })}
        </p>
        <TextInput
          label={t('confirmTyped', { text: from.name })}
          value={typed}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
          }}
        />
        {error && <Failure error={error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          color="rust"
          loading={pending}
          disabled={!into || typed.trim() !== from.name}
        >
          {t('areas.mergeDo')}
        </Button>
      </DialogFoot>
    </form>
  );
}
