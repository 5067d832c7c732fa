import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, ok } from '../api/client';
import { hasStatus } from '../api/problem';
import { deviceQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import type { DeviceRequest } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { Failure } from '../parts/States';
import { Answered } from './Answered';
import { Door } from './Door';
import { Permission, type Permit } from './Permission';
import css from './door.module.css';

const route = getRouteApi('/device');

/** A device without a browser asks to act for this person, who compares its code. */
export default function DevicePage() {
  const t = useText();
  const { user_code } = route.useSearch();
  const query = useQuery({ ...deviceQuery(user_code), enabled: user_code !== '' });
  const gone = hasStatus(query.error, 404);
  if (hasStatus(query.error, 409)) return <Answered />;
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
  return <Question key={user_code} asked={query.data} />;
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
  const answer = useSingleMutation({
    mutationFn: (body: Permit) =>
      ok<{ approved: boolean }>(
        api.POST('/oauth/device/{user_code}', {
          params: { path: { user_code: asked.user_code } },
          body,
        }),
      ),
  });
  if (hasStatus(answer.error, 409)) return <Answered />;
  if (hasStatus(answer.error, 404)) return <Enter gone />;
  if (answer.isSuccess) {
    const { approved } = answer.data;
    return (
      <Door title={t(approved ? 'device.done' : 'device.denied')}>
        <p className={css.lead}>{t(approved ? 'device.doneText' : 'device.deniedText')}</p>
      </Door>
    );
  }
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
      <Permission
        asked={asked}
        busy={answer.isPending}
        error={answer.error}
        onAnswer={answer.mutate}
      />
    </Door>
  );
}
