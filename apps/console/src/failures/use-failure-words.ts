import { isTenantryError } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import type { FailureWords } from './failures.words.en.ts';
import { failureWords, laterFailureWords } from './failures.words.ts';
import type { LaterFailureWords } from './later-failures.words.en.ts';

/** The words for every failure. */
export type AllFailureWords = Omit<FailureWords, keyof LaterFailureWords> & {
  readonly [Part in keyof LaterFailureWords]: FailureWords[Part] & LaterFailureWords[Part];
};

/** The words for failures; suspends until those are loaded that the sign-in does not need. */
export const useAllFailureWords = (): AllFailureWords =>
  joined(useWords(failureWords), useWords(laterFailureWords));

/** What was joined before, by the later words of its language. */
const known = new WeakMap<LaterFailureWords, AllFailureWords>();

/** All words of a language, of two files. */
export function joined(first: FailureWords, later: LaterFailureWords): AllFailureWords {
  const words = known.get(later) ?? {
    ...first,
    codes: { ...first.codes, ...later.codes },
    reasons: { ...first.reasons, ...later.reasons },
    rules: { ...first.rules, ...later.rules },
  };
  known.set(later, words);
  return words;
}

/** Whether the words that every page has say an error as precisely as all words do. */
export function saysAll({ codes, reasons, rules }: FailureWords, error: unknown): boolean {
  if (!isTenantryError(error)) return true;
  const { code, reason, details } = error;
  const known: Readonly<Record<string, object | undefined>> = reasons;
  const isReasonSaid = reason === undefined || reason in (known[code] ?? {});
  return code in codes && isReasonSaid && details.every(({ rule }) => rule in rules);
}
