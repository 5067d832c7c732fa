import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { IconDeviceLaptop } from '@tabler/icons-react';
import { useState } from 'react';
import { api, ok } from '../api/client';
import { useSingleMutation } from '../api/singleMutation';
import { Problem } from '../api/problem';
import { consentQuery } from '../api/queries';
import type { ConsentRequest } from '../api/types';
import { useText } from '../i18n';
import { Notice } from '../parts/Notice';
import { Failure } from '../parts/States';
import { Choices } from './Choices';
import { Door } from './Door';
import { isRedirectable } from './redirect';
import css from './door.module.css';

const route = getRouteApi('/consent');

/** A client asks to act for this person: who it is, where it leads, what it may do. */
export default function ConsentPage() {
  const t = useText();
  const { request } = route.useSearch();
  const query = useQuery({ ...consentQuery(request), enabled: request !== '' });
  const gone = request === '' || (query.error instanceof Problem && query.error.status === 404);
  if (gone) {
    return (
      <Door title={t('consent.gone')}>
        <p className={css.lead}>{t('consent.goneText')}</p>
      </Door>
    );
  }
  if (query.error instanceof Problem && query.error.status === 409) return <Answered />;
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
  return <Question asked={query.data} />;
}

function Answered() {
  const t = useText();
  return (
    <Door title={t('consent.answered')}>
      <p className={css.lead}>{t('consent.answeredText')}</p>
    </Door>
  );
}

function Question({ asked }: { asked: ConsentRequest }) {
  const t = useText();
  const [scopes, setScopes] = useState(() => asked.scopes.map((scope) => scope.name));
  const [workspaces, setWorkspaces] = useState(() =>
    asked.workspaces.length === 1 ? asked.workspaces.map((w) => w.slug) : [],
  );
  const answer = useSingleMutation({
    mutationFn: (approve: boolean) =>
      ok<{ redirect_to: string }>(
        api.POST('/oauth/requests/{id}', {
          params: { path: { id: asked.id } },
          body: { approve, scopes: approve ? scopes : [], workspaces: approve ? workspaces : [] },
        }),
      ),
    onSuccess({ redirect_to }) {
      if (isRedirectable(redirect_to)) window.location.assign(redirect_to);
    },
  });
  const busy = answer.isPending || answer.isSuccess;
  if (answer.error instanceof Problem && answer.error.status === 409) return <Answered />;
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
