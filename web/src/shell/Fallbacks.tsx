import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { use, type ReactNode } from 'react';
import { Empty, Failure, PageSkeleton } from '../parts/States';
import { useText } from '../i18n';
import { useTitle } from '../parts/title';
import { HereContext } from './workspace';
import css from './shell.module.css';

/** Inside the shell the page's main landmark is there already. */
function Frame({ children }: { children: ReactNode }) {
  const Tag = use(HereContext) ? 'div' : 'main';
  return <Tag className={css.fallback}>{children}</Tag>;
}

export function PendingPage() {
  return <PageSkeleton />;
}

export function NotFoundPage() {
  const t = useText();
  useTitle(t('notFound.title'));
  return (
    <Frame>
      <Empty
        page
        title={t('notFound.title')}
        action={
          <Button component={Link} to="/" variant="default">
            {t('notFound.home')}
          </Button>
        }
      >
        {t('notFound.text')}
      </Empty>
    </Frame>
  );
}

/** The error boundary of every page. */
export function CrashPage({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  return (
    <Frame>
      <Failure
        error={error}
        retry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Frame>
  );
}
