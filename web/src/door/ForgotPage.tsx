import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { forgotPassword, signonQuery } from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { Door } from './Door';
import css from './door.module.css';

/** Asks for the mail that a new password is set through. The answer tells nothing about accounts. */
export default function ForgotPage() {
  const t = useText();
  const ways = useQuery(signonQuery);
  const [email, setEmail] = useState('');
  const ask = useSingleMutation({ mutationFn: () => forgotPassword(email.trim()) });
  const back = (
    <Button component={Link} to="/sign-in" variant="default" mt="lg">
      {t('reset.back')}
    </Button>
  );
  if (ask.isSuccess) {
    return (
      <Door title={t('reset.sent')}>
        <p className={css.lead}>{t('reset.sentText', { email })}</p>
        {back}
      </Door>
    );
  }
  if (ways.data && !ways.data.reset) {
    return (
      <Door title={t('reset.title')}>
        <p className={css.lead}>{t('reset.none')}</p>
        {back}
      </Door>
    );
  }
  return (
    <Door title={t('reset.title')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          ask.mutate();
        }}
      >
        <p className={css.lead}>{t('reset.text')}</p>
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
        {ask.error && <Failure error={ask.error} />}
        <Button type="submit" loading={ask.isPending} fullWidth>
          {t('reset.ask')}
        </Button>
        <Link to="/sign-in" className={css.aside}>
          {t('reset.back')}
        </Link>
      </form>
    </Door>
  );
}
