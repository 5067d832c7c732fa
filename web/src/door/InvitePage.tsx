import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, setCsrfToken } from '../api/client';
import { Problem } from '../api/problem';
import { invitationQuery, sessionQuery } from '../api/queries';
import { signonQuery } from '../api/signon';
import { useSingleMutation } from '../api/singleMutation';
import type { Invitation, Session } from '../api/types';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { Door } from './Door';
import { ProviderLinks } from './ProviderLinks';
import css from './door.module.css';

const route = getRouteApi('/invite/$token');

/** A link into a workspace: for who is signed in, and for who has no account yet. */
export default function InvitePage() {
  const t = useText();
  const { token } = route.useParams();
  const link = useQuery(invitationQuery(token));
  const session = useQuery(sessionQuery);
  if (link.error instanceof Problem && link.error.status === 404) {
    return (
      <Door title={t('invite.gone')}>
        <p className={css.lead}>{t('invite.goneText')}</p>
      </Door>
    );
  }
  const failed = link.error ?? session.error;
  if (failed) {
    return (
      <Door title={t('invite.pageTitle')}>
        <Failure
          error={failed}
          retry={() => void Promise.all([link.refetch(), session.refetch()])}
        />
      </Door>
    );
  }
  if (!link.data || session.isPending) {
    return (
      <Door title={t('invite.pageTitle')}>
        <Skeleton height={300} mt={20} />
      </Door>
    );
  }
  return <Join token={token} invitation={link.data} session={session.data ?? null} />;
}

interface JoinProps {
  token: string;
  invitation: Invitation;
  session: Session | null;
}

function Join({ token, invitation, session }: JoinProps) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState({ name: '', email: invitation.email ?? '', password: '' });
  const join = useSingleMutation({
    meta: { signsIn: true },
    mutationFn: (body: { name?: string; email?: string; password?: string }) =>
      ok<Session>(api.POST('/invitations/{token}/accept', { params: { path: { token } }, body })),
    onSuccess(next) {
      setCsrfToken(next.csrf_token);
      client.setQueryData(sessionQuery.queryKey, next);
      void navigate({ to: '/w/$ws', params: { ws: invitation.workspace.slug } });
    },
  });
  const problem = join.error instanceof Problem ? join.error : null;
  const field = (name: keyof typeof form) => ({
    value: form[name],
    error: problem?.field(name),
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      setForm({ ...form, [name]: event.currentTarget.value });
    },
  });
  const providers = useQuery(signonQuery).data?.providers ?? [];
  return (
    <Door title={t('invite.title', { workspace: invitation.workspace.name })}>
      <p className={css.lead}>
        {t('invite.text', {
          name: invitation.invited_by,
          role: t.word('role', invitation.role),
        })}{' '}
        {invitation.email && t('invite.only', { email: invitation.email })}
      </p>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          join.mutate(session ? {} : form);
        }}
      >
        {session ? (
          <p className={css.lead}>{t('invite.as', { email: session.person.email })}</p>
        ) : (
          <>
            <TextInput label={t('setup.name')} autoComplete="name" autoFocus {...field('name')} />
            <TextInput
              label={t('signIn.email')}
              type="email"
              autoComplete="username"
              readOnly={Boolean(invitation.email)}
              {...field('email')}
            />
            <PasswordInput
              label={t('signIn.password')}
              description={t('invite.passwordHelp')}
              autoComplete="new-password"
              minLength={10}
              visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
              {...field('password')}
            />
          </>
        )}
        {join.error && <Failure error={join.error} />}
        <Button type="submit" loading={join.isPending} fullWidth>
          {t(session ? 'invite.join' : 'invite.create')}
        </Button>
        {!session && (
          <Button
            variant="default"
            fullWidth
            onClick={() => {
              void navigate({ to: '/sign-in', search: { return_to: `/invite/${token}` } });
            }}
          >
            {t('invite.have')}
          </Button>
        )}
      </form>
      {!session && providers.length > 0 && (
        <>
          <p className={css.or}>
            <span>{t('signIn.or')}</span>
          </p>
          <ProviderLinks
            providers={providers}
            invitation={token}
            returnTo={`/w/${invitation.workspace.slug}`}
          />
        </>
      )}
    </Door>
  );
}
