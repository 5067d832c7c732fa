import { describe, expect, it } from 'vitest';
import { detectLocale } from '.';
import { en } from './en';
import { es } from './es';
import { fill, translator } from './translate';

const holes = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort();

describe('the catalogues', () => {
  it('have the same keys', () => {
    expect(Object.keys(es).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.keys(en) as (keyof typeof en)[])('say %s with the same values', (key) => {
    expect(es[key].trim()).not.toBe('');
    expect(holes(es[key])).toEqual(holes(en[key]));
  });

  it('have both forms of every counted message', () => {
    for (const key of Object.keys(en)) {
      if (key.endsWith('.one')) expect(en).toHaveProperty([key.replace(/one$/, 'other')]);
    }
  });
});

describe('translator', () => {
  it('picks the form for the number', () => {
    const t = translator('en');
    expect(t.count('list.count', 1)).toBe('1 topic');
    expect(t.count('list.count', 0)).toBe('0 topics');
    expect(translator('es').count('list.count', 2)).toBe('2 temas');
  });

  it('never fills a hole from the prototype', () => {
    expect(fill('{constructor} {a}', { a: 1 })).toBe('{constructor} 1');
  });

  it('shows words it does not know as they are', () => {
    const t = translator('en');
    expect(t.word('relation', 'depends_on')).toBe('depends on');
    expect(t.word('relation', 'made_up')).toBe('made up');
  });
});

describe('detectLocale', () => {
  it('prefers the choice, then the browser, then English', () => {
    expect(detectLocale('es', ['en-US'])).toBe('es');
    expect(detectLocale(null, ['fr', 'es-MX', 'en'])).toBe('es');
    expect(detectLocale('xx', ['fr'])).toBe('en');
  });
});
