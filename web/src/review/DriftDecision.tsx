import { Button, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconArchive, IconCheck, IconPencil } from '@tabler/icons-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { driftedQuery, relationsQuery, topicQuery } from '../api/queries';
import type { Drifted, Verification } from '../api/types';
import { archiveTopic, useWrite, verifyTopic } from '../api/writes';
import { Comments, OpenComments } from '../comments/Comments';
import { useText } from '../i18n';
import { ConfirmDialog } from '../parts/ConfirmDialog';
import { Findings } from '../parts/Findings';
import { KnownTopics } from '../parts/KnownTopics';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { TopicFields } from '../parts/TopicFields';
import { TrustMark } from '../parts/TrustMark';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { VerifyDialog } from '../topic/VerifyDialog';
import { KeyHint } from './KeyHint';
import type { Intent } from './queue';
import css from './review.module.css';

interface Props {
  row: Drifted;
  /** Where the page's keys arrive. */
  actRef: RefObject<((intent: Intent) => void) | null>;
  decides: boolean;
}

/** Knowledge that its code moved away from: the evidence, the text, and the three ways on. */
export function DriftDecision({ row, actRef, decides }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  const navigate = useNavigate();
  const topic = useQuery(topicQuery(ws, row.slug));
  const relations = useQuery(relationsQuery(ws, row.slug));
  const [dialog, setDialog] = useState<'verify' | 'archive' | null>(null);
  const commentRef = useRef<HTMLTextAreaElement>(null);
  const subject = { topic: row.slug };

  const done = (message: string): void => {
    setDialog(null);
    client.setQueryData(
      driftedQuery(ws).queryKey,
      (list) => list && { ...list, results: list.results.filter(({ slug }) => slug !== row.slug) },
    );
    notify(message);
  };
  const verify = useWrite(ws, (verification: Verification) =>
    verifyTopic(ws, row.slug, verification),
  );
  const archive = useWrite(ws, () => archiveTopic(ws, row.slug, false));

  const ready = topic.data !== undefined;
  useEffect(() => {
    actRef.current = (intent) => {
      if (intent === 'edit') {
        void navigate({
          to: '/w/$ws/t/$slug',
          params: { ws, slug: row.slug },
          search: { edit: true, from: 'review' },
        });
      } else if (intent === 'comment') {
        commentRef.current?.focus();
      } else if (intent === 'approve' && decides && ready) {
        setDialog('verify');
      } else if (intent === 'reject' && decides && ready) {
        setDialog('archive');
      }
    };
    return () => {
      actRef.current = null;
    };
  });

  return (
    <>
      <div className={css.scroll}>
        <header className={css.head}>
          <div className={css.kind}>
            <TrustMark trust={row.trust} stale={row.stale} />
            <span className="soft">{t.word('driftState', row.drift_state)}</span>
          </div>
          <h2>
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: row.slug }}>
              {row.title}
            </Link>
          </h2>
          <p className={css.what}>{row.what}</p>
          {topic.data?.governance.approved_by && topic.data.governance.approved_at && (
            <p className="soft">
              {t('drifted.approved', { name: topic.data.governance.approved_by.name })}{' '}
              <When at={topic.data.governance.approved_at} />
            </p>
          )}
        </header>
        {topic.isError && <Failure error={topic.error} retry={() => void topic.refetch()} />}
        {topic.isPending && <Skeleton height={320} />}
        {topic.data && (
          <>
            <section className={css.evidence}>
              <h3>{t('drifted.evidence')}</h3>
              <Findings findings={topic.data.drift} />
            </section>
            <KnownTopics relations={relations.data}>
              <TopicFields topic={topic.data} workspace={ws} />
            </KnownTopics>
          </>
        )}
        <section className={css.comments}>
          <h3>
            {t('comments.title')}
            <OpenComments subject={subject} />
            <KeyHint name="c" />
          </h3>
          <Comments subject={subject} inputRef={commentRef} />
        </section>
      </div>
      <footer className={css.bar}>
        {decides ? (
          <Button
            leftSection={<IconCheck size={16} />}
            rightSection={<KeyHint name="a" />}
            disabled={!ready}
            onClick={() => {
              setDialog('verify');
            }}
          >
            {t('drifted.verify')}
          </Button>
        ) : (
          <span className="soft">{t('review.notYours')}</span>
        )}
        <Button
          component={Link}
          variant="default"
          to={`/w/${ws}/t/${row.slug}?edit=true&from=review`}
          leftSection={<IconPencil size={16} />}
          rightSection={<KeyHint name="e" />}
        >
          {t('review.edit')}
        </Button>
        {decides && (
          <Button
            variant="default"
            leftSection={<IconArchive size={16} />}
            rightSection={<KeyHint name="x" />}
            disabled={!ready}
            onClick={() => {
              setDialog('archive');
            }}
          >
            {t('topic.archive')}
          </Button>
        )}
      </footer>
      <VerifyDialog
        opened={dialog === 'verify'}
        title={row.title}
        commit={topic.data?.drift.find(({ commit }) => commit)?.commit}
        pending={verify.isPending}
        error={verify.error}
        onClose={() => {
          setDialog(null);
          verify.reset();
        }}
        onVerify={(verification) => {
          verify.mutate(verification, {
            onSuccess() {
              done(t('topic.verified', { title: row.title }));
            },
          });
        }}
      />
      <ConfirmDialog
        opened={dialog === 'archive'}
        title={t('drifted.archive', { title: row.title })}
        action={t('topic.archive')}
        reversible
        pending={archive.isPending}
        error={archive.error}
        onClose={() => {
          setDialog(null);
          archive.reset();
        }}
        onConfirm={() => {
          archive.mutate(undefined, {
            onSuccess() {
              done(t('topic.archived', { title: row.title }));
            },
          });
        }}
      >
        {t('drifted.archiveText')}
      </ConfirmDialog>
    </>
  );
}
