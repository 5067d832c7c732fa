import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok, setCsrfToken } from '../api/client';
import { Problem } from '../api/problem';
import { sessionQuery, setupQuery } from '../api/queries';
import type { Session, Setup } from '../api/types';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { Door } from './Door';
import { slugOf } from './slug';
import css from './door.module.css';

const route = getRouteApi('/setup/$token');

/** The one-time link of a new server: the first person and the first workspace. */
export default function SetupPage() {
  const t = useText();
  const { token } = route.useParams();
  const link = useQuery(setupQuery(token));
  if (link.isPending) {
    return (
      <Door title={t('setup.title')}>
        <Skeleton height={360} mt={20} />
      </Door>
    );
  }
  if (link.error instanceof Problem && link.error.status === 404) {
    return (
      <Door title={t('setup.used')}>
        <p className={css.lead}>{t('setup.usedText')}</p>
        <Button component={Link} to="/sign-in" variant="default" mt="lg">
          {t('signIn.title')}
        </Button>
      </Door>
    );
  }
  return (
    <Door title={t('setup.title')}>
      {link.error ? (
        <Failure error={link.error} retry={() => void link.refetch()} />
      ) : (
        <SetupForm token={token} />
      )}
    </Door>
  );
}

function SetupForm({ token }: { token: string }) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [form, setForm] = useState({ name: '', email: '', password: '', workspace: '' });
  const [slug, setSlug] = useState<string | null>(null);
  const shownSlug = slug ?? slugOf(form.workspace);
  const setup = useMutation({
    meta: { signsIn: true },
    mutationFn: (body: Setup) =>
      ok<Session>(api.POST('/setup/{token}', { params: { path: { token } }, body })),
    onSuccess(session, body) {
      setCsrfToken(session.csrf_token);
      client.setQueryData(sessionQuery.queryKey, session);
      // Nothing is there to review yet: the next step is to connect a client.
      void navigate({ to: '/w/$ws/connect', params: { ws: body.workspace.slug } });
    },
  });
  const problem = setup.error instanceof Problem ? setup.error : null;
  const field = (name: keyof typeof form) => ({
    value: form[name],
    error: problem?.field(name),
    required: true,
    withAsterisk: false,
    onChange: (event: { currentTarget: { value: string } }) => {
      setForm({ ...form, [name]: event.currentTarget.value });
    },
  });
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (setup.isPending) return;
        const { name, email, password, workspace } = form;
        setup.mutate({ name, email, password, workspace: { name: workspace, slug: shownSlug } });
      }}
    >
      <p className={css.lead}>{t('setup.text')}</p>
      <TextInput label={t('setup.name')} autoComplete="name" autoFocus {...field('name')} />
      <TextInput
        label={t('signIn.email')}
        type="email"
        autoComplete="username"
        {...field('email')}
      />
      <PasswordInput
        label={t('signIn.password')}
        description={t('setup.passwordHelp')}
        autoComplete="new-password"
        minLength={12}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.show') }}
        {...field('password')}
      />
      <TextInput
        label={t('setup.workspace')}
        description={t('setup.workspaceHelp')}
        {...field('workspace')}
      />
      <TextInput
        label={t('setup.slug')}
        classNames={{ input: 'mono' }}
        required
        withAsterisk={false}
        pattern="[a-z0-9][a-z0-9\-]*"
        maxLength={80}
        value={shownSlug}
        error={problem?.field('workspace/slug')}
        onChange={(event) => {
          setSlug(event.currentTarget.value);
        }}
      />
      {setup.error && <Failure error={setup.error} />}
      <Button type="submit" loading={setup.isPending} fullWidth>
        {t('setup.do')}
      </Button>
    </form>
  );
}
