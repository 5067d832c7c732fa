import { Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useText } from '../i18n';
import { useHere } from '../shell/workspace';
import css from './settings.module.css';

const tabs = ['workspace', 'members', 'sources', 'data'] as const;

/** The parts of the settings, one of them open. */
export default function SettingsLayout() {
  const { workspace } = useHere();
  const t = useText();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const open = tabs.find((tab) => pathname.endsWith(`/${tab}`)) ?? 'workspace';
  return (
    <Tabs
      value={open}
      onChange={(tab) => void navigate({ to: `/w/${workspace.slug}/settings/${tab ?? open}` })}
    >
      <Tabs.List className={css.tabs} aria-label={t('nav.settings')}>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab} value={tab}>
            {t(`settings.${tab}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={open}>
        <Outlet />
      </Tabs.Panel>
    </Tabs>
  );
}
