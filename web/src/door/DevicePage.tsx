import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../api/client';
import { Problem } from '../api/problem';
import { deviceQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import type { DeviceRequest } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { Failure } from '../parts/States';
import { Choices } from './Choices';
import { Door } from './Door';
import css from './door.module.css';

const route = getRouteApi('/device');

/** A device without a browser asks to act for this person, who compares its code. */
export default function DevicePage() {
  const t = useText();
  const { user_code } = route.useSearch();
  const query = useQuery({ ...deviceQuery(user_code), enabled: user_code !== '' });
  const gone = query.error instanceof Problem && query.error.status === 404;
  if (query.error instanceof Problem && query.error.status === 409) {
    return (
      <Door title={t('consent.answered')}>
        <p className={css.lead}>{t('consent.answeredText')}</p>
      </Door>
    );
  }
  if (user_code === '' || gone) return <Enter key={user_code} gone={gone} />;
  if (query.error) {
    return (
      <Door title={t('device.title')}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Door>
    );
  }
  if (!query.data) {
    return (
      <Door title={t('device.title')}>
        <Skeleton height={420} mt={16} />
      </Door>
    );
  }
  return <Question asked={query.data} />;
}

function Enter({ gone }: { gone: boolean }) {
  const t = useText();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  return (
    <Door title={t('device.title')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ to: '/device', search: { user_code: code.trim() } });
        }}
      >
        <p className={css.lead}>{t('device.text')}</p>
        <TextInput
          label={t('device.code')}
          classNames={{ input: 'mono' }}
          autoComplete="off"
          autoCapitalize="characters"
          autoFocus
          required
          withAsterisk={false}
          maxLength={20}
          placeholder="BCDF-GHJK"
          value={code}
          error={gone ? t('device.gone') : undefined}
          onChange={(event) => {
            setCode(event.currentTarget.value);
          }}
        />
        <Button type="submit" fullWidth>
          {t('device.next')}
        </Button>
      </form>
    </Door>
  );
}

function Question({ asked }: { asked: DeviceRequest }) {
  const t = useText();
  const [scopes, setScopes] = useState(() => asked.scopes.map((scope) => scope.name));
  const [workspaces, setWorkspaces] = useState(() =>
    asked.workspaces.length === 1 ? asked.workspaces.map((w) => w.slug) : [],
  );
  const answer = useSingleMutation({
    mutationFn: (approve: boolean) =>
      ok<{ approved: boolean }>(
        api.POST('/oauth/device/{user_code}', {
          params: { path: { user_code: asked.user_code } },
          body: { approve, scopes: approve ? scopes : [], workspaces: approve ? workspaces : [] },
        }),
      ),
  });
  if (answer.isSuccess) {
    const { approved } = answer.data;
    return (
      <Door title={t(approved ? 'device.done' : 'device.denied')}>
        <p className={css.lead}>{t(approved ? 'device.doneText' : 'device.deniedText')}</p>
      </Door>
    );
  }
  const busy = answer.isPending;
  return (
    <Door wide title={t('consent.title', { client: asked.client.name })}>
      <p className={css.lead}>{t('consent.text')}</p>
      <dl className={css.facts}>
        <div>
          <dt>{t('device.code')}</dt>
          <dd className="mono">{asked.user_code}</dd>
        </div>
        {asked.client.host && (
          <div>
            <dt>{t('consent.host')}</dt>
            <dd className="mono">{asked.client.host}</dd>
          </div>
        )}
      </dl>
      <div className={css.warning}>
        <Notice icon={<IconDeviceLaptop size={18} />} title={t('device.compare')}>
          {t('device.compareText', { code: asked.user_code })}
        </Notice>
      </div>
      <Choices
        asked={asked}
        workspaces={workspaces}
        setWorkspaces={setWorkspaces}
        scopes={scopes}
        setScopes={setScopes}
        disabled={busy}
      />
      {answer.error && <Failure error={answer.error} />}
      <div className={css.answer}>
        <Button
          variant="default"
          disabled={busy}
          onClick={() => {
            answer.mutate(false);
          }}
        >
          {t('consent.deny')}
        </Button>
        <Button
          loading={busy}
          disabled={scopes.length === 0 || workspaces.length === 0}
          onClick={() => {
            answer.mutate(true);
          }}
        >
          {t('consent.allow')}
        </Button>
      </div>
    </Door>
  );
}
