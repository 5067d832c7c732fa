import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { api, ok } from '../api/client';
import { hasStatus } from '../api/problem';
import { consentQuery } from '../api/queries';
import { useSingleMutation } from '../api/singleMutation';
import type { ConsentRequest } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { Failure } from '../parts/States';
import { Answered } from './Answered';
import { Door } from './Door';
import { Permission, type Permit } from './Permission';
import { isRedirectable } from './redirect';
import css from './door.module.css';

const route = getRouteApi('/consent');

/** A client asks to act for this person: who it is, where it leads, what it may do. */
export default function ConsentPage() {
  const t = useText();
  const { request } = route.useSearch();
  const query = useQuery({ ...consentQuery(request), enabled: request !== '' });
  if (request === '' || hasStatus(query.error, 404)) return <Gone />;
  if (hasStatus(query.error, 409)) return <Answered />;
  if (query.error) {
    return (
      <Door title={t('consent.pageTitle')}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Door>
    );
  }
  if (!query.data) {
    return (
      <Door title={t('consent.pageTitle')}>
        <Skeleton height={420} mt={16} />
      </Door>
    );
  }
  return <Question key={request} asked={query.data} />;
}

function Gone() {
  const t = useText();
  return (
    <Door title={t('consent.gone')}>
      <p className={css.lead}>{t('consent.goneText')}</p>
    </Door>
  );
}

function Question({ asked }: { asked: ConsentRequest }) {
  const t = useText();
  const answer = useSingleMutation({
    mutationFn: (body: Permit) =>
      ok<{ redirect_to: string }>(
        api.POST('/oauth/requests/{id}', { params: { path: { id: asked.id } }, body }),
      ),
    onSuccess({ redirect_to }) {
      if (isRedirectable(redirect_to)) window.location.assign(redirect_to);
    },
  });
  if (hasStatus(answer.error, 409)) return <Answered />;
  if (hasStatus(answer.error, 404)) return <Gone />;
  if (answer.isSuccess) {
    return (
      <Door title={t('consent.done')}>
        <p className={css.lead}>
          {isRedirectable(answer.data.redirect_to)
            ? t('consent.doneText', { client: asked.client.name })
            : t('consent.badRedirect')}
        </p>
      </Door>
    );
  }
  return (
    <Door wide title={t('consent.title', { client: asked.client.name })}>
      <p className={css.lead}>{t('consent.text')}</p>
      <dl className={css.facts}>
        <div>
          <dt>{t('consent.client')}</dt>
          <dd>{asked.client.name}</dd>
        </div>
        {asked.client.host && (
          <div>
            <dt>{t('consent.host')}</dt>
            <dd className="mono">{asked.client.host}</dd>
          </div>
        )}
        <div>
          <dt>{t('consent.redirect')}</dt>
          <dd className="mono" title={asked.redirect_uri}>
            {asked.redirect_host}
          </dd>
        </div>
      </dl>
      {asked.loopback && (
        <div className={css.warning}>
          <Notice icon={<IconDeviceLaptop size={18} />} title={t('consent.loopback')}>
            {t('consent.loopbackText', { client: asked.client.name })}
          </Notice>
        </div>
      )}
      <Permission
        asked={asked}
        busy={answer.isPending}
        error={answer.error}
        onAnswer={answer.mutate}
      />
    </Door>
  );
}
