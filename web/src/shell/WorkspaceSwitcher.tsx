import { Menu, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconCheck, IconSelector } from '@tabler/icons-react';
import { useText } from '../i18n';
import { useHere } from './workspace';
import css from './shell.module.css';

export function WorkspaceSwitcher() {
  const { workspace, session } = useHere();
  const t = useText();
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={css.switcher}
          aria-label={t('workspace.switch', { name: workspace.name })}
        >
          <span className={css.switcherName}>{workspace.name}</span>
          <IconSelector size={15} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('workspace.label')}</Menu.Label>
        {session.workspaces.map((w) => (
          <Menu.Item
            key={w.slug}
            component={Link}
            to={`/w/${w.slug}`}
            aria-current={w.slug === workspace.slug ? 'true' : undefined}
            rightSection={w.slug === workspace.slug ? <IconCheck size={15} /> : null}
          >
            {w.name}
            <span className={css.role}>{t.word('role', w.role)}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
