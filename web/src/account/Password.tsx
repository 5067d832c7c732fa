import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword } from '../api/account';
import { hasCode, Problem } from '../api/problem';
import { sessionQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import type { Session } from '../api/types';
import { useText } from '../i18n';
import { useNotify } from '../parts/notify';
import { Section } from '../parts/Section';
import { Failure } from '../parts/States';
import css from './account.module.css';

/** Changes the password, or sets the first one of somebody who signs in another way. */
export function Password({ session }: { session: Session }) {
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  const has = session.person.has_password;
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useSingleMutation({
    mutationFn: () => changePassword({ current: has ? current : undefined, new: next }),
    onSuccess() {
      setCurrent('');
      setNext('');
      notify(t(has ? 'account.passwordChanged' : 'account.passwordSet'));
      // The other sessions have ended, and there is a password now.
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      void client.invalidateQueries({ queryKey: ['account'] });
    },
  });
  const problem = change.error instanceof Problem ? change.error : null;
  const wrong = hasCode(problem, 'WRONG_PASSWORD') ? t('account.wrongPassword') : undefined;
  const refused = problem?.field('new') ?? problem?.field('password');
  return (
    <Section
      title={t('account.password')}
      text={t(has ? 'account.passwordText' : 'account.noPasswordText')}
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {/* Password managers file the new password under this name. */}
        <input
          type="email"
          name="email"
          autoComplete="username"
          value={session.person.email}
          readOnly
          hidden
        />
        {has && (
          <PasswordInput
            label={t('account.currentPassword')}
            name="current"
            autoComplete="current-password"
            required
            withAsterisk={false}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
            value={current}
            error={wrong}
            onChange={(event) => {
              setCurrent(event.currentTarget.value);
            }}
          />
        )}
        <PasswordInput
          label={t('account.newPassword')}
          description={t('invite.passwordHelp')}
          name="new"
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={10}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
          value={next}
          error={refused}
          onChange={(event) => {
            setNext(event.currentTarget.value);
          }}
        />
        {problem && !wrong && !refused && <Failure error={problem} />}
        <Button type="submit" variant="default" loading={change.isPending}>
          {t(has ? 'account.changePassword' : 'account.setPassword')}
        </Button>
      </form>
    </Section>
  );
}
