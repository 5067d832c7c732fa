import { describe, expect, it } from 'vitest';
import { isServerPath, safeReturnTo } from './returnTo';

const origin = 'https://driftless.example';

describe('safeReturnTo', () => {
  it.each([
    '/',
    '/w/acme/review?lane=edits#x',
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fother.example%2Fcb',
    '/consent?request=1',
  ])('keeps the local path %s', (path) => {
    expect(safeReturnTo(path, origin)).toBe(path);
  });

  it.each([
    undefined,
    42,
    '',
    'w/acme',
    'https://other.example/',
    '//other.example',
    '///other.example',
    '/\\other.example',
    '\\\\other.example',
    '/\t/other.example',
    '/\n/other.example',
    '/..//other.example',
    '/./..//other.example/x',
    'javascript:alert(1)',
    'data:text/html,x',
    '/sign-in?return_to=/sign-in',
    '/' + 'a'.repeat(5000),
  ])('refuses %j', (value) => {
    expect(safeReturnTo(value, origin)).toBe('/');
  });
});

describe('isServerPath', () => {
  it('knows the pages that are not the console’s', () => {
    expect(isServerPath('/oauth/authorize?client_id=a')).toBe(true);
    expect(isServerPath('/w/acme/review')).toBe(false);
  });
});
