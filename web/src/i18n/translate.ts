import { en } from './en';
import { es } from './es';

export type Locale = 'en' | 'es';
export type MessageKey = keyof typeof en;
export type Catalogue = Texts<typeof en>;
/** One subject of a catalogue: every text of its English, in another language. */
export type Texts<English> = { [Key in keyof English]: string };
export type Values = Record<string, string | number>;

export const catalogues: Record<Locale, Catalogue> = { en, es };

/** Keys that exist as `key.one` and `key.other`. */
export type CountKey = MessageKey extends infer K
  ? K extends `${infer Base}.one`
    ? Base
    : never
  : never;

export interface Translator {
  (key: MessageKey, values?: Values): string;
  /** The form for a number; `{n}` is the number as the language writes it. */
  count: (key: CountKey, n: number, values?: Values) => string;
  /** The message for a key that came from the server, or the text itself. */
  word: (prefix: string, value: string | undefined) => string;
  locale: Locale;
}

export function fill(message: string, values: Values = {}): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  );
}

export function translator(locale: Locale): Translator {
  const messages = catalogues[locale];
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  const text = (key: MessageKey, values?: Values): string => fill(messages[key], values);
  return Object.assign(text, {
    locale,
    count(key: CountKey, n: number, values?: Values): string {
      const form = plural.select(n) === 'one' ? 'one' : 'other';
      return text(`${key}.${form}` as MessageKey, { n: number.format(n), ...values });
    },
    word(prefix: string, value: string | undefined): string {
      if (value === undefined) return '';
      const key = `${prefix}.${value}`;
      return Object.hasOwn(messages, key) ? text(key as MessageKey) : value.replaceAll('_', ' ');
    },
  });
}
