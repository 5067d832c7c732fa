import { useLanguage } from '../i18n';

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago (or ahead), in the largest unit that fits. */
export function relativeTime(at: Date, now: Date, locale: string): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(0, 'second');
}

/** A relative time that shows the exact one on hover. */
export function When({ at }: { at: string }) {
  const { locale } = useLanguage();
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return null;
  const exact = date.toLocaleString(locale, { dateStyle: 'full', timeStyle: 'long' });
  return (
    <time dateTime={at} title={exact}>
      {relativeTime(date, new Date(), locale)}
    </time>
  );
}
