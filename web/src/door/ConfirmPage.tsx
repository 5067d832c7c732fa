import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api, ok } from '../api/client';
import { useSingleMutation } from '../api/singleMutation';
import { hasCode, Problem } from '../api/problem';
import { confirmationQuery } from '../api/queries';
import type { Confirmation } from '../api/types';
import { textDiff } from '../diff/fields';
import { FieldDiffs } from '../diff/FieldDiffs';
import { useText } from '../i18n';
import { Failure } from '../parts/States';
import { ExactText, Warnings } from '../parts/TopicFields';
import { When } from '../parts/When';
import { Door } from './Door';
import css from './door.module.css';

const route = getRouteApi('/confirm/$id');

/** The human act behind an approval that a client asked for. */
export default function ConfirmPage() {
  const t = useText();
  const { id } = route.useParams();
  const query = useQuery(confirmationQuery(id));
  if (query.isPending) {
    return (
      <Door wide title={t('confirm.pageTitle')}>
        <Skeleton height={420} mt={16} />
      </Door>
    );
  }
  if (query.error instanceof Problem && query.error.status === 404) {
    return (
      <Door title={t('confirm.gone')}>
        <p className={css.lead}>{t('confirm.goneText')}</p>
      </Door>
    );
  }
  if (query.error) {
    return (
      <Door title={t('confirm.pageTitle')}>
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Door>
    );
  }
  if (query.data.status !== 'pending') return <Outcome confirmation={query.data} />;
  return <Question confirmation={query.data} reload={() => void query.refetch()} />;
}

function Outcome({ confirmation }: { confirmation: Confirmation }) {
  const t = useText();
  const { status, workspace, topic } = confirmation;
  return (
    <Door title={t.word('confirm.status', status)}>
      <p className={css.lead}>{t.word('confirm.statusText', status)}</p>
      <Button
        component={Link}
        to={`/w/${workspace.slug}/t/${topic.slug}`}
        variant="default"
        mt="lg"
      >
        {t('confirm.open')}
      </Button>
    </Door>
  );
}

function Question({ confirmation, reload }: { confirmation: Confirmation; reload: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const { id, kind, topic, before, workspace } = confirmation;
  const answer = useSingleMutation({
    mutationFn: (approve: boolean) =>
      ok<{ status: Confirmation['status'] }>(
        api.POST('/confirmations/{id}', {
          params: { path: { id } },
          body: { approve, content_hash: confirmation.content_hash },
        }),
      ),
    onSuccess({ status }) {
      client.setQueryData(confirmationQuery(id).queryKey, { ...confirmation, status });
      void client.invalidateQueries({ queryKey: [workspace.slug] });
    },
  });
  const moved = hasCode(answer.error, 'VERSION_CONFLICT');
  return (
    <Door wide title={t(kind === 'merge' ? 'approve.titleEdit' : 'approve.title')}>
      <p className={css.lead}>{t('confirm.text', { title: topic.title })}</p>
      <dl className={css.facts}>
        <div>
          <dt>{t('workspace.label')}</dt>
          <dd>{workspace.name}</dd>
        </div>
        <div>
          <dt>{t('confirm.asked')}</dt>
          <dd>
            {t.word('via', confirmation.requested_via)}
            {confirmation.client && ` · ${confirmation.client}`}
          </dd>
        </div>
        <div>
          <dt>{t('facts.revision')}</dt>
          <dd className="num">{topic.revision}</dd>
        </div>
        <div>
          <dt>{t('confirm.expires')}</dt>
          <dd>
            <When at={confirmation.expires_at} />
          </dd>
        </div>
        {confirmation.absorbs && confirmation.absorbs.length > 0 && (
          <div>
            <dt>{t('facts.absorbs')}</dt>
            <dd>{confirmation.absorbs.join(', ')}</dd>
          </div>
        )}
      </dl>
      {confirmation.content_warnings.length > 0 && (
        <div className={css.section}>
          <Warnings warnings={confirmation.content_warnings} />
        </div>
      )}
      {before && (
        <section className={css.section}>
          <FieldDiffs diffs={textDiff(before, topic)} heading={<h2>{t('confirm.changes')}</h2>} />
        </section>
      )}
      <section className={css.section}>
        <h2>{t('confirm.exact')}</h2>
        <ExactText topic={topic} />
      </section>
      {answer.error && !moved && <Failure error={answer.error} />}
      {moved && (
        <p role="alert" className={css.error}>
          {t('confirm.moved')}{' '}
          <Button variant="default" size="xs" onClick={reload}>
            {t('confirm.reload')}
          </Button>
        </p>
      )}
      <div className={`${css.answer ?? ''} ${css.sticky ?? ''}`}>
        <Button
          variant="default"
          disabled={answer.isPending}
          onClick={() => {
            answer.mutate(false);
          }}
        >
          {t('confirm.decline')}
        </Button>
        <Button
          loading={answer.isPending}
          disabled={moved}
          onClick={() => {
            answer.mutate(true);
          }}
        >
          {t(kind === 'merge' ? 'approve.doEdit' : 'approve.do')}
        </Button>
      </div>
    </Door>
  );
}
