import { Menu, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useMatchRoute } from '@tanstack/react-router';
import {
  IconActivity,
  IconBook2,
  IconChecklist,
  IconDots,
  IconInbox,
  IconMessageQuestion,
  IconNotes,
  IconPlugConnected,
  IconSettings,
  IconStethoscope,
  IconTags,
  IconTopologyStar3,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { unreadMax, unreadQuery } from '../api/inbox';
import { waitingQuery } from '../api/queries';
import { useText } from '../i18n';
import { useHere } from './workspace';
import css from './shell.module.css';

export const pages = [
  { name: 'review', to: '/w/$ws/review', icon: IconChecklist },
  { name: 'inbox', to: '/w/$ws/inbox', icon: IconInbox },
  { name: 'knowledge', to: '/w/$ws/knowledge', icon: IconBook2 },
  { name: 'notes', to: '/w/$ws/notes', icon: IconNotes },
  { name: 'ask', to: '/w/$ws/ask', icon: IconMessageQuestion },
  { name: 'graph', to: '/w/$ws/graph', icon: IconTopologyStar3 },
  { name: 'areas', to: '/w/$ws/areas', icon: IconTags },
  { name: 'health', to: '/w/$ws/health', icon: IconStethoscope },
  { name: 'activity', to: '/w/$ws/activity', icon: IconActivity },
  { name: 'connect', to: '/w/$ws/connect', icon: IconPlugConnected },
  { name: 'settings', to: '/w/$ws/settings', icon: IconSettings },
] as const satisfies readonly { name: string; to: string; icon: Icon }[];

type Page = (typeof pages)[number];

/** How many pages have a place of their own at the foot of a phone. */
const tabs = 4;

/** All pages, one below the other. */
export function Nav() {
  const t = useText();
  return (
    <nav className={css.nav} aria-label={t('nav.label')}>
      {pages.map((page) => (
        <NavItem key={page.name} page={page} />
      ))}
    </nav>
  );
}

/** The pages of every day side by side, and a menu with the others. */
export function TabBar() {
  const { workspace } = useHere();
  const t = useText();
  const matches = useMatchRoute();
  const more = pages.slice(tabs);
  const params = { ws: workspace.slug };
  const inside = more.some((page) => matches({ to: page.to, params, fuzzy: true }) !== false);
  return (
    <nav className={css.nav} aria-label={t('nav.label')}>
      {pages.slice(0, tabs).map((page) => (
        <NavItem key={page.name} page={page} />
      ))}
      <Menu position="top-end" width={200}>
        <Menu.Target>
          <UnstyledButton className={css.navItem} aria-current={inside ? 'page' : undefined}>
            <span className={css.navIcon} aria-hidden="true">
              <IconDots size={18} />
            </span>
            <span>{t('nav.more')}</span>
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          {more.map(({ name, to, icon: Icon }) => (
            <Menu.Item
              key={name}
              component={Link}
              to={to.replace('$ws', workspace.slug)}
              leftSection={<Icon size={17} />}
            >
              {t(`nav.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </nav>
  );
}

function NavItem({ page: { name, to, icon: Icon } }: { page: Page }) {
  const { workspace, decides } = useHere();
  const t = useText();
  return (
    <Link
      to={to}
      params={{ ws: workspace.slug }}
      className={css.navItem}
      activeOptions={{ includeSearch: false }}
    >
      <span className={css.navIcon} aria-hidden="true">
        <Icon size={18} />
      </span>
      <span>{t(`nav.${name}`)}</span>
      {name === 'review' && decides && <Waiting ws={workspace.slug} />}
      {name === 'inbox' && <Unread ws={workspace.slug} />}
    </Link>
  );
}

function Waiting({ ws }: { ws: string }) {
  const t = useText();
  const { data } = useQuery(waitingQuery(ws));
  if (!data) return null;
  const { more, ...lanes } = data;
  const n = lanes.notes + lanes.edits + lanes.drift;
  return (
    <Count n={n} spoken={t.count('nav.waiting', n, lanes)}>
      {more ? `${String(n)}+` : n}
    </Count>
  );
}

function Unread({ ws }: { ws: string }) {
  const t = useText();
  const unread = useQuery(unreadQuery(ws));
  const n = unread.data?.results.length ?? 0;
  return (
    <Count n={n} spoken={t.count('nav.unread', n)}>
      {unread.data?.has_more ? `${String(unreadMax)}+` : n}
    </Count>
  );
}

/** A number beside a page; nothing where there is nothing. */
function Count({ n, spoken, children }: { n: number; spoken: string; children: ReactNode }) {
  if (n === 0) return null;
  return (
    <span className={css.count}>
      <span aria-hidden="true">{children}</span>
      <span className="srOnly">{spoken}</span>
    </span>
  );
}
