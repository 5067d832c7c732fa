import { useQuery } from '@tanstack/react-query';
import { careQuery, categories } from '../api/health';
import { trendQuery } from '../api/trend';
import { useLanguage, useText } from '../i18n';
import { Section } from '../parts/Section';
import { Failure, RowsSkeleton } from '../parts/States';
import { useHere } from '../shell/workspace';
import css from './health.module.css';
import { lineOf, type Point } from './line';

/** How the counts went, category by category, up to now. */
export function TrendSection() {
  const { workspace } = useHere();
  const t = useText();
  const { locale } = useLanguage();
  const trend = useQuery(trendQuery(workspace.slug));
  const care = useQuery(careQuery(workspace.slug));
  const failed = trend.error ?? care.error;
  const days = trend.data?.days ?? [];
  const [first] = days;
  const now = care.data?.summary;
  const lines = categories
    .map((name) => ({
      name,
      points: [
        ...days.map(({ day, summary }): Point => ({
          at: Date.parse(day),
          n: summary[name] ?? 0,
        })),
        { at: care.dataUpdatedAt, n: now?.[name] ?? 0 },
      ],
    }))
    .filter(({ points }) => points.some(({ n }) => n > 0));
  return (
    <Section title={t('trend.title')} text={t('trend.text')}>
      {failed && (
        <Failure
          error={failed}
          retry={() => {
            void trend.refetch();
            void care.refetch();
          }}
        />
      )}
      {!failed && !(trend.data && now) && <RowsSkeleton rows={4} height={48} />}
      {!failed && now && trend.data && !first && <p className="soft">{t('trend.none')}</p>}
      {!failed && now && first && lines.length === 0 && <p className="soft">{t('care.nothing')}</p>}
      {!failed && now && first && lines.length > 0 && (
        <table className={css.trend}>
          <thead>
            <tr>
              <th scope="col">{t('trend.category')}</th>
              <th scope="col">
                {new Date(first.day).toLocaleDateString(locale, {
                  day: 'numeric',
                  month: 'short',
                  timeZone: 'UTC',
                })}
              </th>
              <th scope="col" aria-hidden="true" />
              <th scope="col">{t('trend.now')}</th>
              <th scope="col">{t('trend.change')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, points }) => {
              const from = points[0]?.n ?? 0;
              const to = points.at(-1)?.n ?? 0;
              return (
                <tr key={name}>
                  <th scope="row">{t(`care.${name}`)}</th>
                  <td className="num">{from}</td>
                  <td aria-hidden="true">
                    <svg
                      className={css.line}
                      viewBox="0 0 200 32"
                      preserveAspectRatio="none"
                      focusable="false"
                    >
                      <path d={lineOf(points, 200, 32)} />
                    </svg>
                  </td>
                  <td className="num">{to}</td>
                  <td className="num" data-change={Math.sign(to - from)}>
                    {to === from ? '±0' : `${to > from ? '+' : '−'}${String(Math.abs(to - from))}`}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Section>
  );
}
