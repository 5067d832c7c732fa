import { Button, Checkbox, Modal, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, NewKey, Scope } from '../api/types';
import { createKey, useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { ScopeBoxes } from './ScopeBoxes';

interface Props {
  opened: boolean;
  onClose: () => void;
  onCreated: (key: ApiKey & { secret: string }) => void;
}

const lifetimes = ['30', '90', '365'] as const;

export function NewKeyDialog({ opened, onClose, onCreated }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('keys.new')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <NewKeyForm onClose={onClose} onCreated={onCreated} />
    </Modal>
  );
}

function NewKeyForm({ onClose, onCreated }: Omit<Props, 'opened'>) {
  const { workspace, session, decides } = useHere();
  const t = useText();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<NewKey['kind']>('personal');
  const [chosen, setChosen] = useState<Scope[]>(['context:read', 'topics:create']);
  const [reached, setReached] = useState([workspace.slug]);
  const [days, setDays] = useState<string | null>('90');
  const create = useWrite(workspace.slug, (key: NewKey) => createKey(workspace.slug, key));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate(
          {
            name: name.trim(),
            kind,
            scopes: chosen,
            workspaces: kind === 'personal' ? reached : [workspace.slug],
            expires_at: expiry(days, new Date()),
          },
          { onSuccess: onCreated },
        );
      }}
    >
      <Stack gap="md">
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          maxLength={80}
          label={t('keys.name')}
          description={t('keys.nameHelp')}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Radio.Group
          label={t('keys.acts')}
          value={kind}
          onChange={(value) => {
            setKind(value as NewKey['kind']);
          }}
        >
          <Stack gap={6} mt={6}>
            <Radio
              value="personal"
              label={t('keys.kind.personal')}
              description={t('keys.personalText')}
            />
            {decides && (
              <Radio
                value="service"
                label={t('keys.kind.service')}
                description={t('keys.serviceText')}
              />
            )}
          </Stack>
        </Radio.Group>
        <ScopeBoxes label={t('keys.scopes')} chosen={chosen} onChange={setChosen} />
        {kind === 'personal' && session.workspaces.length > 1 && (
          <Checkbox.Group label={t('keys.workspaces')} value={reached} onChange={setReached}>
            <Stack gap={8} mt={6}>
              {session.workspaces.map((w) => (
                <Checkbox
                  key={w.slug}
                  value={w.slug}
                  disabled={w.slug === workspace.slug}
                  label={w.name}
                  description={t.word('role', w.role)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
        <Select
          label={t('keys.lifetime')}
          clearable
          placeholder={t('keys.noExpiry')}
          data={lifetimes.map((value) => ({ value, label: t.count('keys.days', Number(value)) }))}
          value={days}
          onChange={setDays}
        />
        {create.error && <Failure error={create.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          loading={create.isPending}
          disabled={name.trim() === '' || chosen.length === 0}
        >
          {t('keys.create')}
        </Button>
      </DialogFoot>
    </form>
  );
}

function expiry(days: string | null, now: Date): string | undefined {
  if (days === null) return undefined;
  return new Date(now.getTime() + Number(days) * 86_400_000).toISOString();
}
