import type { Proposal } from '../api/types';
import { useText } from '../i18n';
import { When } from '../parts/When';
import css from './review.module.css';

/** Who wrote it, how it arrived, where it belongs. */
export function Facts({ row }: { row: Proposal }) {
  const t = useText();
  return (
    <dl className={css.facts}>
      <div>
        <dt>{t('facts.author')}</dt>
        <dd title={row.author.email}>{row.author.name}</dd>
      </div>
      <div>
        <dt>{t('facts.via')}</dt>
        <dd>
          {t.word('via', row.via)}
          {row.client && <> · {row.client}</>}
        </dd>
      </div>
      <div>
        <dt>{t('facts.proposed')}</dt>
        <dd>
          <When at={row.proposed_at} />
        </dd>
      </div>
      <div>
        <dt>{t('facts.revision')}</dt>
        <dd className="num">{row.revision}</dd>
      </div>
      {row.area && (
        <div>
          <dt>{t('facts.area')}</dt>
          <dd>{row.area}</dd>
        </div>
      )}
      {row.tags.length > 0 && (
        <div>
          <dt>{t('facts.tags')}</dt>
          <dd>{row.tags.join(', ')}</dd>
        </div>
      )}
      {row.absorbs && row.absorbs.length > 0 && (
        <div>
          <dt>{t('facts.absorbs')}</dt>
          <dd>{row.absorbs.join(', ')}</dd>
        </div>
      )}
    </dl>
  );
}
