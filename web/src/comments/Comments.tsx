import { Button, Group, Select, Textarea } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type Ref } from 'react';
import { commentsQuery } from '../api/queries';
import type { Comment, CommentSubject } from '../api/types';
import { addComment, setCommentStatus, useWrite } from '../api/writes';
import { listFields, textFields } from '../diff/fields';
import { useText } from '../i18n';
import { Markdown } from '../parts/Markdown';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import css from './comments.module.css';

interface Props {
  subject: CommentSubject;
  /** Where the page's key for writing a comment leads. */
  inputRef?: Ref<HTMLTextAreaElement>;
}

/** What people and agents remarked on a text, and a place to answer. It changes neither text nor state. */
export function Comments({ subject, inputRef }: Props) {
  const { workspace } = useHere();
  const t = useText();
  const list = useInfiniteQuery(commentsQuery(workspace.slug, subject));
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <div className={css.comments}>
      {list.isPending && <RowsSkeleton rows={1} height={64} />}
      {list.isError && <Failure error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && <p className="soft">{t('comments.none')}</p>}
      {rows.length > 0 && (
        <ol className={css.list}>
          {rows.map((comment) => (
            <OneComment key={comment.id} comment={comment} />
          ))}
        </ol>
      )}
      {list.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {t('list.more')}
        </Button>
      )}
      <NewComment subject={subject} inputRef={inputRef} />
    </div>
  );
}

function OneComment({ comment }: { comment: Comment }) {
  const { workspace, session } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const close = useWrite(ws, (status: Comment['status']) =>
    setCommentStatus(ws, comment.id, status),
  );
  const open = comment.status === 'open';
  // A viewer closes what they wrote; the server knows better and says so.
  const mine = comment.author?.email === session.person.email;
  const may = workspace.role !== 'viewer' || mine;
  const button = (status: Comment['status'], label: string) => (
    <Button
      size="compact-xs"
      variant="subtle"
      color="gray"
      disabled={close.isPending}
      onClick={() => {
        close.mutate(status);
      }}
    >
      {label}
    </Button>
  );
  return (
    <li data-closed={!open || undefined}>
      <div className={css.meta}>
        <strong>{comment.author?.name ?? '—'}</strong>
        <span>{t.word('via', comment.via)}</span>
        <When at={comment.at} />
        {comment.field && (
          <span>{t('comments.on', { field: t.word('field', comment.field) })}</span>
        )}
        <span className="num">{t('comments.revision', { n: comment.revision })}</span>
        {!open && (
          <span className={css.closed}>
            {t.word('comments.status', comment.status)}
            {comment.closed_by && ` · ${comment.closed_by.name}`}
          </span>
        )}
      </div>
      <Markdown text={comment.body} workspace={ws} />
      {may && (
        <Group gap={4} className={css.actions}>
          {open ? (
            <>
              {button('resolved', t('comments.resolve'))}
              {button('wont_fix', t('comments.wontFix'))}
            </>
          ) : (
            button('open', t('comments.reopen'))
          )}
        </Group>
      )}
      {close.error && <Failure error={close.error} />}
    </li>
  );
}

function NewComment({ subject, inputRef }: Props) {
  const { workspace } = useHere();
  const ws = workspace.slug;
  const t = useText();
  const [body, setBody] = useState('');
  const [field, setField] = useState<string | null>(null);
  const add = useWrite(ws, () =>
    addComment(ws, { ...subject, body: body.trim(), field: field ?? undefined }),
  );
  const submit = (): void => {
    if (body.trim() === '') return;
    add.mutate(undefined, {
      onSuccess() {
        setBody('');
        setField(null);
      },
    });
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea
        ref={inputRef}
        label={t('comments.new')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={10_000}
        value={body}
        onChange={(event) => {
          setBody(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
      />
      {add.error && <Failure error={add.error} />}
      <div className={css.foot}>
        <Select
          size="xs"
          aria-label={t('comments.field')}
          placeholder={t('comments.whole')}
          clearable
          clearButtonProps={{ 'aria-label': t('comments.whole') }}
          data={[...textFields, ...listFields].map((name) => ({
            value: name,
            label: t(`field.${name}`),
          }))}
          value={field}
          onChange={setField}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={add.isPending}
          disabled={body.trim() === ''}
        >
          {t('comments.add')}
        </Button>
      </div>
    </form>
  );
}

/** How many comments are open, beside a heading. */
export function OpenComments({ subject }: { subject: CommentSubject }) {
  const { workspace } = useHere();
  const list = useInfiniteQuery(commentsQuery(workspace.slug, subject));
  const rows = list.data?.pages.flatMap((page) => page.results) ?? [];
  const open = rows.filter((comment) => comment.status === 'open').length;
  return open > 0 ? <span className="soft num"> {open}</span> : null;
}
