import { Button, PasswordInput, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { hasStatus, Problem } from '../api/problem';
import { sessionQuery } from '../api/queries';
import { resetPassword, resetQuery } from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { Door } from './Door';
import css from './door.module.css';

const route = getRouteApi('/reset/$token');

/** The link of the mail: a new password, once. */
export default function ResetPage() {
  const t = useText();
  const { token } = route.useParams();
  const link = useQuery(resetQuery(token));
  if (hasStatus(link.error, 404)) return <Gone />;
  if (link.error) {
    return (
      <Door title={t('reset.newTitle')}>
        <Failure error={link.error} retry={() => void link.refetch()} />
      </Door>
    );
  }
  if (!link.data) {
    return (
      <Door title={t('reset.newTitle')}>
        <Skeleton height={180} mt={20} />
      </Door>
    );
  }
  return <NewPassword key={token} token={token} email={link.data.email} />;
}

function Gone() {
  const t = useText();
  return (
    <Door title={t('reset.gone')}>
      <p className={css.lead}>{t('reset.goneText')}</p>
      <Button component={Link} to="/reset" variant="default" mt="lg">
        {t('reset.again')}
      </Button>
    </Door>
  );
}

function NewPassword({ token, email }: { token: string; email: string }) {
  const t = useText();
  const client = useQueryClient();
  const [password, setPassword] = useState('');
  const reset = useSingleMutation({
    mutationFn: () => resetPassword(token, password),
    onSuccess() {
      // Every session of the person has ended, this browser's as well if it was theirs.
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  if (hasStatus(reset.error, 404)) return <Gone />;
  if (reset.isSuccess) {
    return (
      <Door title={t('reset.done')}>
        <p className={css.lead}>{t('reset.doneText')}</p>
        <Button component={Link} to="/sign-in" mt="lg">
          {t('signIn.title')}
        </Button>
      </Door>
    );
  }
  const refused = reset.error instanceof Problem ? reset.error.field('password') : undefined;
  return (
    <Door title={t('reset.newTitle')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          reset.mutate();
        }}
      >
        <p className={css.lead}>{t('reset.newText', { email })}</p>
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={t('account.newPassword')}
          description={t('invite.passwordHelp')}
          name="password"
          autoComplete="new-password"
          required
          withAsterisk={false}
          autoFocus
          minLength={10}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
          value={password}
          error={refused}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
          }}
        />
        {reset.error && !refused && <Failure error={reset.error} />}
        <Button type="submit" loading={reset.isPending} fullWidth>
          {t('reset.do')}
        </Button>
      </form>
    </Door>
  );
}
