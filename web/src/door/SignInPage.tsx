import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Navigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, setCsrfToken } from '../api/client';
import { Problem } from '../api/problem';
import { sessionQuery } from '../api/queries';
import type { Session } from '../api/types';
import { useText } from '../i18n';
import { useProblemText } from '../parts/States';
import { isServerPath, safeReturnTo } from '../session/returnTo';
import { Door } from './Door';
import css from './door.module.css';

const route = getRouteApi('/sign-in');

export default function SignInPage() {
  const t = useText();
  const { return_to, fresh } = route.useSearch();
  const target = safeReturnTo(return_to);
  const client = useQueryClient();
  const router = useRouter();
  const session = useQuery(sessionQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');

  const signIn = useMutation({
    meta: { signsIn: true },
    mutationFn: () => ok<Session>(api.POST('/session', { body: { email, password } })),
    onSuccess(next) {
      setCsrfToken(next.csrf_token);
      client.setQueryData(sessionQuery.queryKey, next);
      void client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
      if (isServerPath(target)) window.location.assign(target);
      else router.history.replace(target);
    },
  });
  const problem = useProblemText(signIn.error);
  const wrong = signIn.error instanceof Problem && signIn.error.status === 401;

  // Already signed in: straight on, unless a decision asked for a fresh sign-in.
  if (session.data && !fresh && signIn.isIdle) {
    if (isServerPath(target)) window.location.replace(target);
    else return <Navigate to={target} replace />;
  }
  return (
    <Door title={t('signIn.title')}>
      {fresh && <p className={css.lead}>{t('signIn.fresh')}</p>}
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!signIn.isPending) signIn.mutate();
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
            {wrong ? t('signIn.wrong') : `${problem.title} ${problem.hint ?? ''}`}
          </p>
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t('signIn.do')}
        </Button>
      </form>
    </Door>
  );
}
