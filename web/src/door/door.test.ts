import { describe, expect, it } from 'vitest';
import { isRedirectable } from './redirect';
import { slugOf } from './slug';

describe('isRedirectable', () => {
  it.each(['https://claude.ai/cb?code=1', 'http://127.0.0.1:7777/cb', 'cursor://auth?code=1'])(
    'goes to %s',
    (address) => {
      expect(isRedirectable(address)).toBe(true);
    },
  );

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'data:text/html,x',
    'blob:x',
    '/local',
    '',
  ])('refuses %j', (address) => {
    expect(isRedirectable(address)).toBe(false);
  });
});

describe('slugOf', () => {
  it('writes names as slugs', () => {
    expect(slugOf('  Équipe Plataforma! ')).toBe('equipe-plataforma');
    expect(slugOf('--')).toBe('');
    expect(slugOf(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
  });
});
