import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import {
  IconBook2,
  IconChecklist,
  IconNotes,
  IconPlugConnected,
  IconSearch,
  IconSettings,
} from '@tabler/icons-react';
import { useMemo, type ReactNode } from 'react';
import { proposalsQuery } from '../api/queries';
import { useText } from '../i18n';
import { Logo } from '../parts/TrustMark';
import { AccountMenu } from './AccountMenu';
import { NotFoundPage } from './Fallbacks';
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
          <Nav ws={ws} decides={here.decides} />
          <div className={css.railFoot}>
            <AccountMenu />
          </div>
        </aside>
        <main id="main" className={css.main} tabIndex={-1}>
          <Outlet />
        </main>
        <div className={css.tabs}>
          <Nav ws={ws} decides={here.decides} />
        </div>
      </div>
      <Palette />
    </HereContext>
  );
}

function Nav({ ws, decides }: { ws: string; decides: boolean }) {
  const t = useText();
  const waiting = useQuery({ ...proposalsQuery(ws), enabled: decides });
  const queue = waiting.data?.results ?? [];
  const count = queue.length;
  const edits = queue.filter((p) => p.kind === 'edit').length;
  return (
    <nav className={css.nav} aria-label={t('nav.label')}>
      <NavItem
        to="/w/$ws/review"
        ws={ws}
        icon={<IconChecklist size={18} />}
        label={t('nav.review')}
      >
        {count > 0 && (
          <span className={css.count}>
            <span aria-hidden="true">{count}</span>
            <span className="srOnly">
              {t.count('nav.waiting', count, { notes: count - edits, edits })}
            </span>
          </span>
        )}
      </NavItem>
      <NavItem
        to="/w/$ws/knowledge"
        ws={ws}
        icon={<IconBook2 size={18} />}
        label={t('nav.knowledge')}
      />
      <NavItem to="/w/$ws/notes" ws={ws} icon={<IconNotes size={18} />} label={t('nav.notes')} />
      <NavItem
        to="/w/$ws/connect"
        ws={ws}
        icon={<IconPlugConnected size={18} />}
        label={t('nav.connect')}
      />
      <NavItem
        to="/w/$ws/settings/members"
        ws={ws}
        icon={<IconSettings size={18} />}
        label={t('nav.settings')}
      />
    </nav>
  );
}

interface NavItemProps {
  to:
    | '/w/$ws/review'
    | '/w/$ws/knowledge'
    | '/w/$ws/notes'
    | '/w/$ws/connect'
    | '/w/$ws/settings/members';
  ws: string;
  icon: ReactNode;
  label: string;
  children?: ReactNode;
}

function NavItem({ to, ws, icon, label, children }: NavItemProps) {
  return (
    <Link to={to} params={{ ws }} className={css.navItem} activeOptions={{ includeSearch: false }}>
      <span className={css.navIcon} aria-hidden="true">
        {icon}
      </span>
      <span>{label}</span>
      {children}
    </Link>
  );
}
