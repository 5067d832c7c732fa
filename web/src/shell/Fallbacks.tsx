import { Button } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { Empty, Failure, PageSkeleton } from '../parts/States';
import { useText } from '../i18n';
import css from './shell.module.css';

export function PendingPage() {
  return <PageSkeleton />;
}

export function NotFoundPage() {
  const t = useText();
  return (
    <main className={css.fallback}>
      <Empty
        title={t('notFound.title')}
        action={
          <Button component={Link} to="/" variant="default">
            {t('notFound.home')}
          </Button>
        }
      >
        {t('notFound.text')}
      </Empty>
    </main>
  );
}

/** The error boundary of every page. */
export function CrashPage({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  return (
    <main className={css.fallback}>
      <Failure
        error={error}
        retry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </main>
  );
}
