import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconDotsVertical, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { api, ok } from '../api/client';
import { useText } from '../i18n';
import { PreferenceItems } from './Preferences';
import { useHere } from './workspace';
import css from './shell.module.css';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { session } = useHere();
  const name = session.person.name || session.person.email;
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => ok(api.DELETE('/session')),
    onSettled() {
      client.clear();
      void navigate({ to: '/sign-in' });
    },
  });
  return (
    <Menu position={compact ? 'bottom-end' : 'top-start'} width={220}>
      <Menu.Target>
        {compact ? (
          <ActionIcon size="lg" aria-label={t('account.menu')}>
            <IconDotsVertical size={18} />
          </ActionIcon>
        ) : (
          <UnstyledButton className={css.account} aria-label={t('account.menuOf', { name })}>
            <IconUserCircle size={18} aria-hidden="true" />
            <span>{name}</span>
          </UnstyledButton>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.person.email}</Menu.Label>
        <PreferenceItems />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={15} />}
          onClick={() => {
            signOut.mutate();
          }}
        >
          {t('account.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
