import { locales, useLanguage, type Language } from './language.ts';
import { madeOnce } from './made-once.ts';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Formats a time relative to now: `3 hours ago`, `in 12 days`. */
export type AgoFormat = (instant: string, now: number) => string;

/** How it is said in a language. */
export const agoFormat = madeOnce((language: Language): AgoFormat => {
  const relative = new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' });
  return (instant, now) => {
    const passedMs = now - Date.parse(instant);
    const [unit, lengthMs] = units.find(([, length]) => Math.abs(passedMs) >= length) ?? ['minute', 60_000];
    return relative.format(-Math.trunc(passedMs / lengthMs), unit);
  };
});

/** How it is said to the reader. */
export const useAgo = (): AgoFormat => agoFormat(useLanguage());
