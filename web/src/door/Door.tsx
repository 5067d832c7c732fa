import { ActionIcon, Menu } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n';
import { Logo } from '../parts/TrustMark';
import { PreferenceItems } from '../shell/Preferences';
import { useTitle } from '../parts/title';
import css from './door.module.css';

interface Props {
  title: string;
  wide?: boolean;
  children: ReactNode;
}

/** The pages outside of a workspace: one sheet, one question. */
export function Door({ title, wide = false, children }: Props) {
  const t = useText();
  useTitle(title);
  return (
    <div className={css.door}>
      <header className={css.top}>
        <span className={css.brand}>
          <Logo />
          Driftless
        </span>
        <Menu position="bottom-end" width={200}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={t('preferences')}>
              <IconAdjustments size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <PreferenceItems />
          </Menu.Dropdown>
        </Menu>
      </header>
      <main className={css.sheet} data-wide={wide || undefined}>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
