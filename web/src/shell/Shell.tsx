import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { getRouteApi, Outlet } from '@tanstack/react-router';
import { IconSearch } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useText } from '../i18n';
import { Logo } from '../parts/TrustMark';
import { AccountMenu } from './AccountMenu';
import { NotFoundPage } from './Fallbacks';
import { Fresh } from './Fresh';
import { Nav, TabBar } from './Nav';
import { openPalette, Palette } from './Palette';
import { HereContext } from './workspace';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';
import css from './shell.module.css';

const route = getRouteApi('/w/$ws');
const apple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Shell() {
  const { ws } = route.useParams();
  const { session } = route.useRouteContext();
  const t = useText();
  const here = useMemo(() => {
    const workspace = session.workspaces.find((w) => w.slug === ws);
    if (!workspace) return null;
    return {
      workspace,
      session,
      decides: workspace.role === 'owner' || workspace.role === 'admin',
    };
  }, [session, ws]);
  if (!here) return <NotFoundPage />;
  return (
    <HereContext value={here}>
      <a href="#main" className="skip">
        {t('nav.skip')}
      </a>
      <div className={css.shell} data-shell>
        <div className={css.top}>
          <WorkspaceSwitcher />
          <div className={css.topActions}>
            <ActionIcon size="lg" aria-label={t('palette.open')} onClick={openPalette}>
              <IconSearch size={18} />
            </ActionIcon>
            <AccountMenu compact />
          </div>
        </div>
        <aside className={css.rail}>
          <div className={css.brand}>
            <Logo />
            <span>Driftless</span>
          </div>
          <WorkspaceSwitcher />
          <UnstyledButton className={css.search} onClick={openPalette}>
            <IconSearch size={15} aria-hidden="true" />
            <span>{t('palette.open')}</span>
            <Kbd size="xs">{apple ? '⌘K' : 'Ctrl K'}</Kbd>
          </UnstyledButton>
          <Nav />
          <div className={css.railFoot}>
            <AccountMenu />
          </div>
        </aside>
        <main id="main" className={css.main} tabIndex={-1}>
          <Outlet />
        </main>
        <div className={css.tabs}>
          <TabBar />
        </div>
      </div>
      <Palette />
      <Fresh key={here.workspace.slug} workspace={here.workspace.slug} />
    </HereContext>
  );
}
