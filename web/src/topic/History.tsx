import { Button, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { historyQuery } from '../api/queries';
import type { RevisionRow } from '../api/types';
import { changesByField } from '../diff/fields';
import { FieldDiffs } from '../diff/FieldDiffs';
import { useText } from '../i18n';
import { Failure, RowsSkeleton } from '../parts/States';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import css from './topic.module.css';

/** Every revision, newest first, each with what it changed. */
export function History({ slug }: { slug: string }) {
  const { workspace } = useHere();
  const t = useText();
  const history = useInfiniteQuery(historyQuery(workspace.slug, slug));
  if (history.isPending) return <RowsSkeleton rows={5} height={64} />;
  if (history.isError) {
    return <Failure error={history.error} retry={() => void history.refetch()} />;
  }
  return (
    <>
      <ol className={css.history}>
        {history.data.pages
          .flatMap((page) => page.results)
          .map((row) => (
            <Revision key={row.revision} ws={workspace.slug} slug={slug} row={row} />
          ))}
      </ol>
      {history.hasNextPage && (
        <Button
          variant="default"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t('list.more')}
        </Button>
      )}
    </>
  );
}

function Revision({ ws, slug, row }: { ws: string; slug: string; row: RevisionRow }) {
  const t = useText();
  const [open, setOpen] = useState(false);
  const diffs = changesByField(row.changes);
  const names = diffs.map((diff) => t.word('field', diff.field)).join(', ');
  return (
    <li>
      <UnstyledButton
        className={css.revision}
        aria-expanded={open}
        onClick={() => {
          setOpen(!open);
        }}
      >
        <span className={`${css.number ?? ''} num`}>{row.revision}</span>
        <span className={css.revisionText}>
          <span>{row.summary || names || t('history.noChange')}</span>
          <span className="soft">
            {row.author.name} · {t.word('via', row.via)}
            {row.client && ` · ${row.client}`} · <When at={row.at} />
            {row.status && ` · ${t.word('trust', row.status)}`}
          </span>
        </span>
      </UnstyledButton>
      {open && (
        <div className={css.revisionDiff}>
          <FieldDiffs
            diffs={diffs}
            heading={
              <Link to="/w/$ws/t/$slug" params={{ ws, slug }} search={{ revision: row.revision }}>
                {t('history.open')}
              </Link>
            }
          />
        </div>
      )}
    </li>
  );
}
