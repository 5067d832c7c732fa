import { describe, expect, it } from 'vitest';
import { relativeTime } from './When';

describe('relativeTime', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  it.each([
    ['2026-03-10T11:59:40Z', 'en', 'now'],
    ['2026-03-10T11:18:00Z', 'en', '42 minutes ago'],
    ['2026-03-09T11:00:00Z', 'en', 'yesterday'],
    ['2026-03-10T12:15:00Z', 'en', 'in 15 minutes'],
    ['2026-02-10T12:00:00Z', 'en', '4 weeks ago'],
    ['2024-01-01T00:00:00Z', 'es', 'hace 2 años'],
  ])('says %s in %s as %s', (at, locale, words) => {
    expect(relativeTime(new Date(at), now, locale)).toBe(words);
  });
});
