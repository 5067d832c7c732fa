import { Link } from '@tanstack/react-router';
import type { Happening } from '../api/activity';
import { useText } from '../i18n';
import { When } from '../parts/When';
import { useHere } from '../shell/workspace';
import { factsOf } from './types';
import css from './activity.module.css';

/** Who did what, to which topic, how they arrived, and what else the log says about it. */
export function EventRow({ row }: { row: Happening }) {
  const { workspace } = useHere();
  const t = useText();
  const facts = factsOf(row.detail);
  return (
    <li className={css.row}>
      <span className={`${css.seq ?? ''} num`} title={t('activity.entry', { n: row.seq })}>
        {row.seq}
      </span>
      <div className={css.what}>
        <p>
          <strong>{row.by?.name ?? t('via.system')}</strong> {t.word('event', row.type)}{' '}
          {row.topic && (
            <Link
              className="mono"
              to="/w/$ws/t/$slug"
              params={{ ws: workspace.slug, slug: row.topic }}
            >
              {row.topic}
            </Link>
          )}
        </p>
        {facts.length > 0 && (
          <ul className={css.facts}>
            {facts.map(([name, value]) => (
              <li key={name}>
                <span>{t(`activity.fact.${name}`)}</span> {wordOf(t, name, value)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <span className={css.how}>
        <When at={row.at} />
        <span>
          {t.word('via', row.via)}
          {row.client && ` · ${row.client}`}
        </span>
      </span>
    </li>
  );
}

function wordOf(t: ReturnType<typeof useText>, name: string, value: string): string {
  if (name === 'role' || name === 'outcome' || name === 'field') return t.word(name, value);
  return value;
}
