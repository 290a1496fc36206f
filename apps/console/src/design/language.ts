import { createContext, use, useContext } from 'react';
import { loadPart } from './load-part.ts';

/** The supported languages. */
export const languages = ['en', 'sv'] as const;

/** One of them. */
export type Language = (typeof languages)[number];

/** Each language by its own name, which its readers know in any other. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', sv: 'Svenska' };

/** The locale for dates and numbers of each language. */
export const locales: Readonly<Record<Language, string>> = { en: 'en-GB', sv: 'sv-SE' };

/** The supported language for a list of preferences, most preferred first; BCP 47. */
export function languageFor(preferred: readonly (string | null)[]): Language {
  for (const tag of preferred) {
    const language = languages.find((known) => tag?.toLowerCase().split('-')[0] === known);
    if (language) return language;
  }
  return 'en';
}

/** Texts of a noun in each language, of which a page loads one. */
export interface Words<Texts> {
  readonly load: (language: Language) => Promise<Texts>;
}

/**
 * Defines the words of a noun: each language is a file of its own.
 *
 * @example
 * export const sessionWords = defineWords<SessionWords>({
 *   en: () => import('./sessions.words.en.ts'),
 *   sv: () => import('./sessions.words.sv.ts'),
 * });
 */
export function defineWords<Texts>(
  files: Readonly<Record<Language, () => Promise<{ readonly words: Texts }>>>,
): Words<Texts> {
  const loaded = new Map<Language, Promise<Texts>>();
  return {
    load(language) {
      const texts = loaded.get(language) ?? loadPart(files[language]).then(({ words }) => words);
      // A failed load is retried.
      texts.catch(() => loaded.delete(language));
      loaded.set(language, texts);
      return texts;
    },
  };
}

/** How a reader writes dates and numbers. */
export interface Formats {
  /** `31 January 2027` */
  readonly day: (instant: string) => string;
  /** `31 Jan 2027` */
  readonly shortDay: (instant: string) => string;
  /** `31 Jan 2027, 13:00` */
  readonly moment: (instant: string) => string;
  /** `13:00` */
  readonly time: (instant: string) => string;
  /** With up to four decimals, as quantities have. */
  readonly number: (value: number) => string;
  /** `67 %`; of a share of 0 to 1. */
  readonly percent: (share: number) => string;
  /** A day of the calendar, wherever it is read: `31 Jan 2027` of `2027-01-31`. */
  readonly date: (day: string) => string;
}

/** A reader's language and formats. */
export interface Reading {
  readonly language: Language;
  readonly formats: Formats;
}

/** The reader of the content; set by {@link Reader}. */
export const ReadingContext = createContext<Reading>({ language: 'en', formats: formatsOf('en', undefined) });

/** The language of the reader. */
export const useLanguage = (): Language => useContext(ReadingContext).language;

/** The formats of the reader. */
export const useFormats = (): Formats => useContext(ReadingContext).formats;

/** The texts of a noun; suspends until they are loaded. */
export function useWords<Texts>(words: Words<Texts>): Texts {
  return use(words.load(useLanguage()));
}

/** How dates and numbers are written in a language and a time zone; by default that of the browser. */
export function formatsOf(language: Language, timeZone: string | undefined): Formats {
  const locale = locales[language];
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const shortDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    day: (instant) => day.format(new Date(instant)),
    shortDay: (instant) => shortDay.format(new Date(instant)),
    moment: (instant) => moment.format(new Date(instant)),
    time: (instant) => time.format(new Date(instant)),
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    date: (calendarDay) => date.format(new Date(`${calendarDay}T00:00:00Z`)),
  };
}
