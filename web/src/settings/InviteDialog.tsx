import { Button, Modal, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { invite, type Invited, type NewInvitation } from '../api/members';
import { Problem } from '../api/problem';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { DialogFoot } from '../parts/Section';
import { Failure } from '../parts/States';
import { useHere } from '../shell/workspace';

interface Props {
  opened: boolean;
  onClose: () => void;
  onInvited: (invited: Invited) => void;
}

const invitable = ['member', 'viewer', 'admin'] as const;

export function InviteDialog({ opened, onClose, onInvited }: Props) {
  const t = useText();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('people.inviteTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </Modal>
  );
}

function InviteForm({ onClose, onInvited }: Omit<Props, 'opened'>) {
  const { workspace } = useHere();
  const t = useText();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<NewInvitation['role']>('member');
  const create = useWrite(workspace.slug, (body: NewInvitation) => invite(workspace.slug, body));
  const wrong = create.error instanceof Problem ? create.error.field('email') : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create.mutate({ role, email: email.trim() || undefined }, { onSuccess: onInvited });
      }}
    >
      <Stack gap="md">
        <TextInput
          data-autofocus
          type="email"
          label={t('people.email')}
          description={t('people.emailHelp')}
          autoComplete="off"
          maxLength={254}
          value={email}
          error={wrong}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
          }}
        />
        <Radio.Group
          label={t('people.role')}
          value={role}
          onChange={(value) => {
            setRole(value as NewInvitation['role']);
          }}
        >
          <Stack gap={6} mt={6}>
            {invitable.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t.word('role', value)}
                description={t(`people.may.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {create.error && !wrong && <Failure error={create.error} />}
      </Stack>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('people.inviteDo')}
        </Button>
      </DialogFoot>
    </form>
  );
}
