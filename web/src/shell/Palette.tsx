import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMantineColorScheme } from '@mantine/core';
import {
  IconChecklist,
  IconMoonStars,
  IconSearch,
  IconSettings,
  IconUserCircle,
} from '@tabler/icons-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { paletteQuery } from '../api/queries';
import { useText } from '../i18n';
import { TrustMark } from '../parts/TrustMark';
import { pages } from './Nav';
import { useHere } from './workspace';
import css from './shell.module.css';

const [store, palette] = createSpotlight();

export const openPalette = palette.open;

interface Command {
  id: string;
  label: string;
  icon: ReactNode;
  run: () => void;
}

/** Ctrl K or ⌘K: jump to a topic, a page, a workspace, or do something. */
export function Palette() {
  const { workspace, session } = useHere();
  const t = useText();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query.trim(), 120);
  const topics = useQuery({
    ...paletteQuery(workspace.slug, asked),
    placeholderData: keepPreviousData,
  });
  const params = { ws: workspace.slug };

  const commands: Command[] = [
    ...pages
      .filter((page) => page.name !== 'settings')
      .map(({ name, to, icon: Icon }) => ({
        id: name,
        label: t(`nav.${name}`),
        icon: <Icon size={17} />,
        run: () => void navigate({ to, params }),
      })),
    ...(['workspace', 'members', 'sources', 'data'] as const).map((part) => ({
      id: `settings-${part}`,
      label: `${t('nav.settings')}: ${t(part === 'members' ? 'people.title' : `settings.${part}`)}`,
      icon: <IconSettings size={17} />,
      run: () => void navigate({ to: `/w/$ws/settings/${part}`, params }),
    })),
    {
      id: 'account',
      label: t('account.open'),
      icon: <IconUserCircle size={17} />,
      run: () => void navigate({ to: '/account', search: { from: workspace.slug } }),
    },
    {
      id: 'scheme',
      label: t('palette.scheme'),
      icon: <IconMoonStars size={17} />,
      run: () => {
        setColorScheme(colorScheme === 'dark' ? 'light' : 'dark');
      },
    },
    ...session.workspaces
      .filter((w) => w.slug !== workspace.slug)
      .map((w) => ({
        id: `w-${w.slug}`,
        label: t('palette.workspace', { name: w.name }),
        icon: <IconChecklist size={17} />,
        run: () => void navigate({ to: '/w/$ws', params: { ws: w.slug } }),
      })),
  ];
  const wanted = query.trim().toLowerCase();
  const matching = commands.filter((c) => c.label.toLowerCase().includes(wanted));
  const found = asked ? (topics.data?.results ?? []) : [];

  const openTopic = (slug: string): void => {
    void navigate({ to: '/w/$ws/t/$slug', params: { ...params, slug } });
  };

  // Enter takes the first answer when none was chosen with the arrows.
  const takeFirst = (event: KeyboardEvent): void => {
    const composing = event.nativeEvent.isComposing;
    if (event.key !== 'Enter' || composing || store.getState().selected >= 0) return;
    const [topic] = found;
    const [command] = matching;
    if (topic) openTopic(topic.slug);
    else if (command) command.run();
    else return;
    palette.close();
  };

  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      triggerOnContentEditable
      clearQueryOnClose
      scrollable
      maxHeight={420}
    >
      <Spotlight.Search
        onKeyDown={takeFirst}
        aria-label={t('palette.label')}
        placeholder={t('palette.placeholder')}
        leftSection={<IconSearch size={17} />}
      />
      <Spotlight.ActionsList className={css.actions}>
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.topics')}>
            {found.map((topic) => (
              <Spotlight.Action
                key={topic.slug}
                onClick={() => {
                  openTopic(topic.slug);
                }}
              >
                <div className={css.hit}>
                  <div className={css.hitText}>
                    <span>{topic.title}</span>
                    <span className="soft">{topic.what}</span>
                  </div>
                  <TrustMark trust={topic.trust} stale={topic.stale} compact />
                </div>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        )}
        {matching.length > 0 && (
          <Spotlight.ActionsGroup label={t('palette.go')}>
            {matching.map((command) => (
              <Spotlight.Action
                key={command.id}
                label={command.label}
                leftSection={command.icon}
                onClick={command.run}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {found.length === 0 && matching.length === 0 && (
          <Spotlight.Empty>{topics.isFetching ? t('loading') : t('palette.empty')}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
