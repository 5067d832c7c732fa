import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconQuote } from '@tabler/icons-react';
import { keepAsNote, type Asked } from '../api/ask';
import { useWrite } from '../api/writes';
import { useText } from '../i18n';
import { Markdown } from '../parts/Markdown';
import { Notice } from '../parts/Notice';
import { Empty, Failure } from '../parts/States';
import { TrustMark } from '../parts/TrustMark';
import { useHere } from '../shell/workspace';
import css from './ask.module.css';
import { noteOf, parts, titleOf } from './cited';

/** An answer with what it rests on. */
export function Answer({ question, asked }: { question: string; asked: Asked }) {
  const { workspace } = useHere();
  const t = useText();
  const ws = workspace.slug;
  const { sources, warnings, skipped } = asked;
  const keep = useWrite(ws, () =>
    keepAsNote(ws, titleOf(question), noteOf(question, asked.answer, sources)),
  );
  if (!asked.grounded) {
    return (
      <Empty
        title={t('ask.nothing')}
        action={
          <Button component={Link} to={`/w/${ws}/notes`} variant="default">
            {t('nav.notes')}
          </Button>
        }
      >
        {t('ask.nothingText')}
      </Empty>
    );
  }
  return (
    <article className={css.answer} aria-label={t('ask.answer')}>
      {asked.sources_kind === 'extractive' && (
        <Notice title={t('ask.extractive')} tone="moss" icon={<IconQuote size={16} />}>
          {t('ask.extractiveText')}
        </Notice>
      )}
      {sources
        .filter(({ stale }) => stale)
        .map(({ slug, title }) => (
          <Notice key={slug} title={t('ask.stale', { title })}>
            {t('ask.staleText')}
          </Notice>
        ))}
      {parts(asked.answer, sources.length).map(({ text, cites }, i) => (
        <div key={i} className={css.part}>
          <Markdown text={text} workspace={ws} />
          <p className={css.cites}>
            {cites.map((n) => (
              <a key={n} href={`#source-${String(n)}`}>
                <span className="srOnly">{t('ask.source')} </span>[{n}] {sources[n - 1]?.title}
              </a>
            ))}
          </p>
        </div>
      ))}
      <h2>{t('ask.sources')}</h2>
      <ol className={css.sources}>
        {sources.map((source, i) => (
          <li key={source.slug} id={`source-${String(i + 1)}`}>
            <span className="soft num" aria-hidden="true">
              [{i + 1}]
            </span>
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: source.slug }}>
              {source.title}
            </Link>
            <span className="soft">{t('ask.revision', { n: source.revision })}</span>
            <TrustMark trust={source.trust} stale={source.stale} />
          </li>
        ))}
      </ol>
      {skipped.length > 0 && (
        <ul className={css.fine}>
          {skipped.map(({ topic, reason }) => (
            <li key={topic}>
              <span className="mono">{topic}</span>: {reason}
            </li>
          ))}
        </ul>
      )}
      {warnings.length > sources.filter(({ stale }) => stale).length && (
        <ul className={css.fine}>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <div className={css.foot}>
        {workspace.role !== 'viewer' && !keep.data && (
          <Button
            variant="default"
            loading={keep.isPending}
            onClick={() => {
              keep.mutate(undefined);
            }}
          >
            {t('ask.keep')}
          </Button>
        )}
        <span role="status">
          {keep.data && (
            <Link to="/w/$ws/t/$slug" params={{ ws, slug: keep.data.slug }}>
              {t('ask.kept')}
            </Link>
          )}
        </span>
        <span className="soft num">
          {t(asked.cost_complete ? 'ask.cost' : 'ask.costAtLeast', {
            n: asked.cost_usd.toFixed(asked.cost_usd === 0 ? 0 : 4),
          })}
        </span>
      </div>
      {keep.error && <Failure error={keep.error} />}
    </article>
  );
}
