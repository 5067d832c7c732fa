import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconDotsVertical, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useText } from '../i18n';
import { useSignOut } from '../session/useSignOut';
import { PreferenceItems } from './Preferences';
import { useHere } from './workspace';
import css from './shell.module.css';

export function AccountMenu({ compact = false }: { compact?: boolean }) {
  const { session, workspace } = useHere();
  const name = session.person.name || session.person.email;
  const t = useText();
  const signOut = useSignOut();
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
        <Menu.Item
          component={Link}
          to={`/account?from=${workspace.slug}`}
          leftSection={<IconUserCircle size={15} />}
        >
          {t('account.open')}
        </Menu.Item>
        <Menu.Divider />
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
