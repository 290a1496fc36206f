import type { api } from '@tenantry/client';
import type { Kept } from '../design/kept.ts';
import { languageFor, type Language } from '../design/language.ts';
import { preferenceIn } from '../design/preferences.ts';

/** The language of somebody: chosen for the account, else in this browser, else the browser's own. */
export type LanguageOf = (start: { readonly user: Pick<api.Profile, 'language'> | null }) => Language;

/** @param browserLanguages most preferred first; BCP 47 */
export const languageIn =
  (kept: () => Kept | undefined, browserLanguages: readonly string[]): LanguageOf =>
  ({ user }) =>
    languageFor([user?.language ?? null, preferenceIn(kept, 'language'), ...browserLanguages]);
