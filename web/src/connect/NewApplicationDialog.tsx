import { Button, Modal, Radio, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  registerApplication,
  type AuthMethod,
  type NewApplication,
  type Registered,
} from '../api/applications';
import { Problem } from '../api/problem';
import { scopes, type Scope } from '../api/types';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';
import { ScopeBoxes } from './ScopeBoxes';

interface Props {
  opened: boolean;
  onClose: () => void;
  onRegistered: (application: Registered) => void;
}

const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const;

export function NewApplicationDialog({ opened, onClose, onRegistered }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('clients.new')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <NewApplicationForm onClose={onClose} onRegistered={onRegistered} />
    </Modal>
  );
}

function NewApplicationForm({ onClose, onRegistered }: Omit<Props, 'opened'>) {
  const { workspace } = useHere();
  const t = useText();
  const [name, setName] = useState('');
  const [addresses, setAddresses] = useState('');
  const [method, setMethod] = useState<AuthMethod>('none');
  const [chosen, setChosen] = useState<Scope[]>([...scopes]);
  const register = useWrite(workspace.slug, (body: NewApplication) =>
    registerApplication(workspace.slug, body),
  );
  const redirects = addresses.split(/\s+/).filter((address) => address !== '');
  const wrong =
    register.error instanceof Problem ? register.error.below('redirect_uris') : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        register.mutate(
          { name: name.trim(), redirect_uris: redirects, auth_method: method, scopes: chosen },
          { onSuccess: onRegistered },
        );
      }}
    >
      <Stack gap="md">
        <TextInput
          data-autofocus
          required
          withAsterisk={false}
          maxLength={120}
          label={t('clients.name')}
          description={t('clients.nameHelp')}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <Textarea
          required
          withAsterisk={false}
          autosize
          minRows={2}
          maxRows={6}
          classNames={{ input: 'mono' }}
          label={t('clients.redirects')}
          description={t('clients.redirectsHelp')}
          spellCheck={false}
          value={addresses}
          error={wrong}
          onChange={(event) => {
            setAddresses(event.currentTarget.value);
          }}
        />
        <Radio.Group
          label={t('clients.proves')}
          value={method}
          onChange={(value) => {
            setMethod(value as AuthMethod);
          }}
        >
          <Stack gap={6} mt={6}>
            {methods.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`clients.auth.${value}`)}
                description={t(`clients.authText.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <ScopeBoxes label={t('clients.scopes')} chosen={chosen} onChange={setChosen} />
        {register.error && !wrong && <Failure error={register.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          type="submit"
          loading={register.isPending}
          disabled={name.trim() === '' || redirects.length === 0 || chosen.length === 0}
        >
          {t('clients.create')}
        </Button>
      </DialogFoot>
    </form>
  );
}
