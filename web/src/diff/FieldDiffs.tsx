import { SegmentedControl, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useText } from '../i18n';
import type { FieldDiff, ItemDiff } from './fields';
import { wordDiff } from './words';
import css from './diff.module.css';

const CodeDiff = lazy(() => import('./CodeDiff'));

export type DiffView = 'inline' | 'split';

/** Every changed field, word by word, inline or side by side. */
export function FieldDiffs({
  diffs,
  heading,
}: {
  diffs: readonly FieldDiff[];
  heading?: ReactNode;
}) {
  const t = useText();
  const [view, setView] = useState<DiffView>('inline');
  return (
    <div>
      <div className={css.bar}>
        {heading}
        <SegmentedControl
          size="xs"
          aria-label={t('diff.view')}
          value={view}
          onChange={(value) => {
            setView(value as DiffView);
          }}
          data={[
            { value: 'inline', label: t('diff.inline') },
            { value: 'split', label: t('diff.split') },
          ]}
        />
      </div>
      {diffs.length === 0 && <p className="soft">{t('diff.none')}</p>}
      {diffs.map((diff) => (
        <section key={diff.field} className={css.field}>
          <h3>{t.word('field', diff.field)}</h3>
          {diff.kind === 'list' ? (
            <ListDiff items={diff.items} view={view} />
          ) : diff.field === 'content' ? (
            <Suspense fallback={<Skeleton height={200} />}>
              <CodeDiff
                before={diff.before}
                after={diff.after}
                view={view}
                label={t('field.content')}
              />
            </Suspense>
          ) : (
            <TextDiff before={diff.before} after={diff.after} view={view} />
          )}
        </section>
      ))}
    </div>
  );
}

function TextDiff({ before, after, view }: { before: string; after: string; view: DiffView }) {
  if (view === 'inline') {
    return (
      <p className={css.text}>
        <Words before={before} after={after} side="both" />
      </p>
    );
  }
  return (
    <div className={css.split}>
      <p className={css.text} data-side="before">
        <Words before={before} after={after} side="before" />
      </p>
      <p className={css.text} data-side="after">
        <Words before={before} after={after} side="after" />
      </p>
    </div>
  );
}

function Words({
  before,
  after,
  side,
}: {
  before: string;
  after: string;
  side: 'both' | 'before' | 'after';
}) {
  return wordDiff(before, after).map((part, i) => {
    if (part.kind === 'added') return side === 'before' ? null : <ins key={i}>{part.text}</ins>;
    if (part.kind === 'removed') return side === 'after' ? null : <del key={i}>{part.text}</del>;
    return <span key={i}>{part.text}</span>;
  });
}

function ListDiff({ items, view }: { items: readonly ItemDiff[]; view: DiffView }) {
  const t = useText();
  return (
    <ul className={css.items}>
      {items.map((item, i) => (
        <li key={i} data-kind={item.kind}>
          <span className={css.sign} aria-hidden="true">
            {{ added: '+', removed: '−', changed: '±', same: '' }[item.kind]}
          </span>
          <span className="srOnly">{item.kind === 'same' ? '' : t(`diff.${item.kind}`)}</span>
          <div className={css.item}>
            {item.kind === 'changed' ? (
              <TextDiff before={item.before} after={item.after} view={view} />
            ) : item.kind === 'removed' ? (
              <del>{item.before}</del>
            ) : item.kind === 'added' ? (
              <ins>{item.after}</ins>
            ) : (
              item.after
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
