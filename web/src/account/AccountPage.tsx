import { Button, Menu, ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { IconAdjustments, IconArrowLeft } from '@tabler/icons-react';
import { sessionQuery } from '../api/queries';
import { signonQuery } from '../api/signon';
import type { Session } from '../api/types';
import { useText } from '../i18n';
import { SectionPage } from '../parts/Section';
import { PageSkeleton } from '../parts/States';
import { useTitle } from '../parts/title';
import { Logo } from '../parts/TrustMark';
import { PreferenceItems } from '../shell/Preferences';
import { Identities } from './Identities';
import { Passkeys } from './Passkeys';
import { Password } from './Password';
import { Profile } from './Profile';
import { Sittings } from './Sittings';
import css from './account.module.css';

const route = getRouteApi('/account');

/** What a person has on this server: how they sign in, and where they are signed in. */
export default function AccountPage() {
  const t = useText();
  const { from, problem } = route.useSearch();
  const session = useQuery(sessionQuery);
  useTitle(t('account.title'));
  return (
    <div className={css.account}>
      <header className={css.top}>
        <Link to="/" className={css.brand}>
          <Logo />
          Driftless
        </Link>
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
      <main className={css.sheet}>
        {session.data ? (
          <Sections session={session.data} from={from} problem={problem} />
        ) : (
          <PageSkeleton />
        )}
      </main>
    </div>
  );
}

interface SectionsProps {
  session: Session;
  from?: string;
  problem?: string;
}

function Sections({ session, from, problem }: SectionsProps) {
  const t = useText();
  const ways = useQuery(signonQuery).data;
  const back = session.workspaces.find((w) => w.slug === from) ?? session.workspaces[0];
  return (
    <>
      {back && (
        <Button
          component={Link}
          to={`/w/${back.slug}`}
          variant="subtle"
          color="gray"
          size="xs"
          className={css.back}
          leftSection={<IconArrowLeft size={14} />}
        >
          {t('account.back', { workspace: back.name })}
        </Button>
      )}
      <SectionPage title={t('account.title')} lead={t('account.text')}>
        <Profile session={session} />
        <Password session={session} />
        {ways?.passkeys && <Passkeys />}
        {ways && (ways.providers.length > 0 || problem) && (
          <Identities providers={ways.providers} problem={problem} />
        )}
        <Sittings />
      </SectionPage>
    </>
  );
}
