import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate, useRouter } from '@tanstack/react-router';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { hasStatus } from '../api/problem';
import { sessionQuery } from '../api/queries';
import { signInWithPasskey, signInWithPassword, signonQuery } from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import type { Session } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { useProblemText } from '../parts/States';
import { isServerPath, safeReturnTo } from '../session/returnTo';
import { useSignedIn } from '../session/useSignedIn';
import { hasPasskeys, PasskeyFailure } from '../session/webauthn';
import { Door } from './Door';
import { ProviderLinks } from './ProviderLinks';
import css from './door.module.css';

const route = getRouteApi('/sign-in');

export default function SignInPage() {
  const t = useText();
  const { return_to, problem } = route.useSearch();
  const target = safeReturnTo(return_to);
  const client = useQueryClient();
  const router = useRouter();
  const session = useQuery(sessionQuery);
  // A server that does not say has passwords.
  const ways = useQuery(signonQuery).data;
  const signedIn = useSignedIn();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const signIn = useSingleMutation({
    meta: { signsIn: true },
    mutationFn: (by: () => Promise<Session>) => by(),
    onSuccess(next) {
      signedIn(next);
      const kept: unknown[] = ['session', 'signon'];
      void client.invalidateQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0]) });
      if (isServerPath(target)) window.location.assign(target);
      else router.history.replace(target);
    },
  });
  const failure = useProblemText(signIn.error);
  const wrong = hasStatus(signIn.error, 401);
  const byPasskey =
    signIn.error instanceof PasskeyFailure || signIn.variables === signInWithPasskey;

  // Already signed in: straight on, unless there is something to say.
  if (session.data && !problem && signIn.isIdle) {
    if (isServerPath(target)) window.location.replace(target);
    else return <Navigate to={target} replace />;
  }
  const passkeys = ways?.passkeys === true && hasPasskeys();
  const providers = ways?.providers ?? [];
  return (
    <Door title={t('signIn.title')}>
      {problem && signIn.isIdle && (
        <div role="alert" className={css.warning}>
          <Notice title={t.word('signIn.problem', problem)}>
            {t.word('signIn.problemText', problem)}
          </Notice>
        </div>
      )}
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate(() => signInWithPassword({ email, password }));
        }}
      >
        <TextInput
          label={t('signIn.email')}
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
          value={email}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
          }}
        />
        <PasswordInput
          label={t('signIn.password')}
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
          value={password}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
          }}
        />
        {signIn.error && (
          <p role="alert" className={css.error}>
            {wrong
              ? t(byPasskey ? 'signIn.wrongPasskey' : 'signIn.wrong')
              : `${failure.title} ${failure.hint ?? ''}`}
          </p>
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t('signIn.do')}
        </Button>
        {ways?.reset && (
          <Link to="/reset" className={css.aside}>
            {t('signIn.forgot')}
          </Link>
        )}
      </form>
      {(passkeys || providers.length > 0) && (
        <>
          <p className={css.or}>
            <span>{t('signIn.or')}</span>
          </p>
          {passkeys && (
            <Button
              variant="default"
              fullWidth
              leftSection={<IconFingerprint size={16} />}
              disabled={signIn.isPending}
              onClick={() => {
                signIn.mutate(signInWithPasskey);
              }}
            >
              {t('signIn.passkey')}
            </Button>
          )}
          <ProviderLinks providers={providers} returnTo={target} />
        </>
      )}
    </Door>
  );
}
