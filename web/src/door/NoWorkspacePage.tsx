import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../i18n';
import { useSignOut } from '../session/useSignOut';
import { Door } from './Door';
import css from './door.module.css';

/** Somebody who is signed in and in no workspace: they left, or a provider made their account. */
export default function NoWorkspacePage() {
  const t = useText();
  const signOut = useSignOut();
  return (
    <Door title={t('noWorkspace.title')}>
      <p className={css.lead}>{t('noWorkspace.text')}</p>
      <Group mt="lg" gap="xs">
        <Button component={Link} to="/account" variant="default">
          {t('account.open')}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            signOut.mutate();
          }}
        >
          {t('account.signOut')}
        </Button>
      </Group>
    </Door>
  );
}
