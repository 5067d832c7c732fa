import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconCheck, IconCornerUpLeft, IconPencil, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { proposalsQuery, relationsQuery, topicQuery } from '../api/queries';
import type { Proposal, Resolution, Topic, TopicText } from '../api/types';
import { approveTopic, mergeEdit, rejectProposal, useWrite } from '../api/writes';
import { Comments, OpenComments } from '../comments/Comments';
import { changesByField } from '../diff/fields';
import { FieldDiffs } from '../diff/FieldDiffs';
import { useText } from '../i18n';
import { KnownTopics } from '../parts/KnownTopics';
import { useNotify } from '../parts/notify';
import { Failure } from '../parts/States';
import { ExactText, TopicFields, Warnings } from '../parts/TopicFields';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import { ApproveDialog } from './ApproveDialog';
import { Conflicts } from './Conflicts';
import { conflictKey, resolvedText, settled, type Choice } from './conflict';
import { Facts } from './Facts';
import { KeyHint } from './KeyHint';
import { LooksLike } from './LooksLike';
import { keyOf, type Intent } from './queue';
import { ReasonDialog } from './ReasonDialog';
import css from './review.module.css';

type View = 'text' | 'changes' | 'exact';
type Dialog = 'approve' | 'request_changes' | 'reject';

/** A text as the dialog shows it, and what says to the server which one that was. */
interface Shown {
  row: Proposal;
  topic: Topic;
  text: TopicText;
  resolution: readonly Resolution[];
}

interface Props {
  row: Proposal;
  /** Where the page's keys arrive. */
  actRef: RefObject<((intent: Intent) => void) | null>;
  decides: boolean;
}

/** Everything a person needs to decide on one proposal, and the decision. */
export function Decision({ row, actRef, decides }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const notify = useNotify();
  const client = useQueryClient();
  const navigate = useNavigate();
  const topic = useQuery(topicQuery(ws, row.slug));
  const diffs = useMemo(() => changesByField(row.changes), [row.changes]);
  const compares = row.kind === 'edit' || row.base_revision !== undefined;
  const [view, setView] = useState<View>(compares ? 'changes' : 'text');
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const relations = useQuery(relationsQuery(ws, row.slug));
  const commentRef = useRef<HTMLTextAreaElement>(null);
  const subject = row.proposal ? { proposal: row.proposal } : { topic: row.slug };
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const conflicts = useMemo(() => row.conflicts ?? [], [row.conflicts]);
  const resolution = useMemo(
    () => conflicts.flatMap((conflict) => settled(conflict, choices[conflictKey(conflict)]) ?? []),
    [conflicts, choices],
  );
  const text = useMemo(() => {
    if (row.kind === 'note') return topic.data;
    if (row.merged) return row.merged;
    return topic.data && resolvedText(topic.data, row.changes, conflicts, resolution);
  }, [topic.data, row, conflicts, resolution]);
  const views: View[] = compares ? ['changes', 'text', 'exact'] : ['text', 'exact'];

  const done = (message: string): void => {
    setDialog(null);
    // It leaves the list now; the next one moves up while the server is asked again.
    client.setQueryData(
      proposalsQuery(ws).queryKey,
      (list) =>
        list && { ...list, results: list.results.filter((other) => keyOf(other) !== keyOf(row)) },
    );
    notify(message);
  };

  // What the dialog shows is what is approved, whatever arrives while it is open.
  const [shown, setShown] = useState<Shown | null>(null);
  const approve = useWrite(ws, async (what: Shown) =>
    what.row.kind === 'edit'
      ? mergeEdit(ws, what.row, what.resolution)
      : approveTopic(ws, what.topic),
  );
  const ask = (): void => {
    if (!text || !topic.data) return;
    setShown({ row, topic: topic.data, text, resolution });
    setDialog('approve');
  };
  const reject = useWrite(ws, (input: { reason: string; changes: boolean }) =>
    rejectProposal(ws, row, input.reason, input.changes),
  );

  const why = row.kind === 'edit' ? row.summary : row.message;
  // A suggested edit is merged or rejected; only a note is edited or sent back for changes.
  const isNote = row.kind === 'note';
  const mayReject = decides && text !== undefined;
  const ready = mayReject && resolution.length === conflicts.length;
  useEffect(() => {
    actRef.current = (intent) => {
      if (intent === 'view') {
        setView((now) => views[(views.indexOf(now) + 1) % views.length] ?? 'text');
      } else if (intent === 'edit' && isNote) {
        void navigate({
          to: '/w/$ws/t/$slug',
          params: { ws, slug: row.slug },
          search: { edit: true, from: 'review' },
        });
      } else if (intent === 'comment') {
        commentRef.current?.focus();
      } else if (intent === 'approve' && ready) {
        ask();
      } else if (
        (intent === 'reject' && mayReject) ||
        (intent === 'request_changes' && mayReject && isNote)
      ) {
        setDialog(intent);
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
            <TrustMark trust={row.kind === 'edit' ? 'reviewed' : 'proposed'} />
            {row.kind === 'edit' && <span className="soft">{t('review.suggestedEdit')}</span>}
          </div>
          <h2>
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: row.slug }}>
              {row.title}
            </Link>
          </h2>
          <p className={css.what}>{row.what}</p>
          <Facts row={row} />
        </header>
        {why && (
          <blockquote className={css.message}>
            <p className="soft">{t('review.message', { name: row.author.name })}</p>
            <p>{why}</p>
          </blockquote>
        )}
        {row.review.state === 'changes_requested' && (
          <blockquote className={css.message}>
            <p className="soft">
              {row.review.by
                ? t('review.sentBackBy', { name: row.review.by.name })
                : t('review.sentBack')}
            </p>
            <p>{row.review.reason}</p>
          </blockquote>
        )}
        <Warnings warnings={row.content_warnings} />
        <LooksLike row={row} />
        {conflicts.length > 0 && (
          <Conflicts
            conflicts={conflicts}
            choices={choices}
            onChoose={(key, choice) => {
              setChoices((now) => ({ ...now, [key]: choice }));
            }}
          />
        )}
        <SegmentedControl
          className={css.views}
          size="xs"
          aria-label={t('review.view')}
          value={view}
          onChange={(value) => {
            setView(value as View);
          }}
          data={views.map((name) => ({ value: name, label: t(`review.view.${name}`) }))}
        />
        {topic.isError && <Failure error={topic.error} retry={() => void topic.refetch()} />}
        {topic.isPending && <Skeleton height={320} />}
        {text && view === 'changes' && (
          <FieldDiffs
            diffs={diffs}
            heading={
              <span className="soft">
                {row.base_revision
                  ? t(isNote ? 'review.since' : 'review.sinceBase', { n: row.base_revision })
                  : t('review.sinceReviewed')}
              </span>
            }
          />
        )}
        {text && view === 'text' && (
          <KnownTopics relations={relations.data}>
            <TopicFields topic={text} workspace={ws} />
          </KnownTopics>
        )}
        {text && view === 'exact' && <ExactText topic={text} />}
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
          <>
            <Button
              leftSection={<IconCheck size={16} />}
              rightSection={<KeyHint name="a" />}
              disabled={!ready}
              onClick={ask}
            >
              {t(row.kind === 'edit' ? 'review.merge' : 'review.approve')}
            </Button>
            {isNote && (
              <Button
                variant="default"
                leftSection={<IconCornerUpLeft size={16} />}
                rightSection={<KeyHint name="r" />}
                disabled={!mayReject}
                onClick={() => {
                  setDialog('request_changes');
                }}
              >
                {t('review.requestChanges')}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconX size={16} />}
              rightSection={<KeyHint name="x" />}
              disabled={!mayReject}
              onClick={() => {
                setDialog('reject');
              }}
            >
              {t('review.reject')}
            </Button>
          </>
        ) : (
          <span className="soft">{t('review.notYours')}</span>
        )}
        {isNote && (
          <Button
            component={Link}
            variant="subtle"
            color="gray"
            to={`/w/${ws}/t/${row.slug}?edit=true&from=review`}
            leftSection={<IconPencil size={16} />}
            rightSection={<KeyHint name="e" />}
          >
            {t('review.edit')}
          </Button>
        )}
      </footer>
      {shown && (
        <ApproveDialog
          opened={dialog === 'approve'}
          topic={shown.text}
          edit={row.kind === 'edit'}
          resolved={shown.resolution.length > 0}
          warnings={shown.row.content_warnings}
          pending={approve.isPending}
          error={approve.error}
          onClose={() => {
            setDialog(null);
            approve.reset();
          }}
          onApprove={() => {
            approve.mutate(shown, {
              onSuccess() {
                done(t('review.approved', { title: row.title }));
              },
            });
          }}
        />
      )}
      <ReasonDialog
        opened={dialog === 'request_changes' || dialog === 'reject'}
        rejecting={dialog === 'reject'}
        title={row.title}
        pending={reject.isPending}
        error={reject.error}
        onClose={() => {
          setDialog(null);
          reject.reset();
        }}
        onSubmit={(reason) => {
          const changes = dialog === 'request_changes';
          reject.mutate(
            { reason, changes },
            {
              onSuccess() {
                done(t(changes ? 'review.changesAsked' : 'review.rejected', { title: row.title }));
              },
            },
          );
        }}
      />
    </>
  );
}
