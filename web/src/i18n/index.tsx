import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { translator, type Locale, type Translator } from './translate';

export type { Locale, MessageKey, Translator } from './translate';

const storageKey = 'driftless-language';

interface Language {
  locale: Locale;
  setLocale: (locale: Locale) => void;
  text: Translator;
}

const Context = createContext<Language | null>(null);

/** The language chosen before, else the first one of the browser's that we speak. */
export function detectLocale(saved: string | null, preferred: readonly string[]): Locale {
  for (const tag of saved ? [saved, ...preferred] : preferred) {
    const base = tag.toLowerCase().split('-')[0];
    if (base === 'en' || base === 'es') return base;
  }
  return 'en';
}

function savedLocale(): string | null {
  try {
    return window.localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [locale, choose] = useState(() => detectLocale(savedLocale(), navigator.languages));
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const value = useMemo(
    () => ({
      locale,
      text: translator(locale),
      setLocale(next: Locale) {
        choose(next);
        try {
          window.localStorage.setItem(storageKey, next);
        } catch {
          // Blocked storage: the choice lasts until the page is left.
        }
      },
    }),
    [locale],
  );
  return <Context value={value}>{children}</Context>;
}

export function useLanguage(): Language {
  const language = use(Context);
  if (!language) throw new Error('useLanguage outside of LanguageProvider');
  return language;
}

/** The catalogue in the reader's language: `t('key', {name})`. */
export function useText(): Translator {
  return useLanguage().text;
}
