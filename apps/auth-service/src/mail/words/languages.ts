import type { Locale } from '../letter.ts';
import { english } from './english.ts';
import { swedish } from './swedish.ts';
import type { Moment, Words } from './words.ts';

const languages = {
  en: { locale: 'en-GB', words: english },
  sv: { locale: 'sv-SE', words: swedish },
} as const;

/** How to write to somebody: in their language if there are letters in it, else in English. */
export function wordsFor({ language, timeZone }: Locale): {
  readonly language: string;
  readonly words: Words;
  readonly moment: Moment;
} {
  const [primary = 'en'] = (language ?? '').toLowerCase().split('-');
  const written = primary === 'sv' ? 'sv' : 'en';
  const { locale, words } = languages[written];
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    timeZoneName: 'short',
  });
  return { language: written, words, moment: (instant) => format.format(new Date(instant)) };
}
