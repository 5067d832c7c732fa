/** A day as a date field writes it, in the reader's own time. */
export function dayOf(at: Date): string {
  const part = (n: number): string => String(n).padStart(2, '0');
  return `${String(at.getFullYear())}-${part(at.getMonth() + 1)}-${part(at.getDate())}`;
}

/** The last second of a day in the reader's own time: what ends "on" a day holds until then. */
export function endOf(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** A moment as the day that it falls on, written out. */
export function longDay(at: string, locale: string): string {
  return new Date(at).toLocaleDateString(locale, { dateStyle: 'long' });
}
