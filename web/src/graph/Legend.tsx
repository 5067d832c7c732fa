import { useText } from '../i18n';
import { TrustMark } from '../parts/TrustMark';
import css from './graph.module.css';
import { edgeTypes, lines, type EdgeType } from './lines';

const dashes = { solid: undefined, dashed: '5 3', dotted: '1.5 3' } as const;

const ends: Record<(typeof lines)[EdgeType]['end'], string | undefined> = {
  none: undefined,
  triangle: 'M36 2 44 6 36 10Z',
  vee: 'M36 2 44 6 36 10 39 6Z',
  tee: 'M42 1H44V11H42Z',
  circle: 'M36 6a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z',
  diamond: 'M34 6 39 2 44 6 39 10Z',
  square: 'M37 2.5H44V9.5H37Z',
};

/** What the marks and lines of the picture mean. */
export function Legend() {
  const t = useText();
  return (
    <ul className={css.legend} aria-label={t('map.legend')}>
      {edgeTypes.map((type) => {
        const { colour, dash, end } = lines[type];
        return (
          <li key={type}>
            <svg width="46" height="12" viewBox="0 0 46 12" aria-hidden="true" focusable="false">
              <path
                d={end === 'none' ? 'M1 6H44' : 'M1 6H37'}
                stroke={`var(${colour})`}
                strokeWidth="1.4"
                strokeDasharray={dashes[dash]}
                fill="none"
              />
              {ends[end] && <path d={ends[end]} fill={`var(${colour})`} />}
            </svg>
            {t(`relation.${type}`)}
          </li>
        );
      })}
      <li>
        <TrustMark trust="reviewed" />
      </li>
      <li>
        <TrustMark trust="proposed" />
      </li>
      <li>
        <TrustMark trust="draft" />
      </li>
      <li>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
          <path d="M7 1 13 7 7 13 1 7Z" fill="var(--rust)" />
        </svg>
        {t('trust.drifted')}
      </li>
      <li>
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
          <path d="M1.5 1.5h11v11h-11Z M4 4h6v6h-6Z" fill="none" stroke="var(--moss)" />
        </svg>
        {t('map.superseded')}
      </li>
    </ul>
  );
}
