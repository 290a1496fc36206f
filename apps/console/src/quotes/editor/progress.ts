import type { Language } from '../../design/language.ts';
import { isBlank, sameIn, isUnused, type Draft } from './draft.ts';
import { problemsOfHead, readLine, readPackage } from './reading.ts';
import type { SaverState } from './saver.ts';

/** How far a draft is saved, and what stands in the way. */
export type Progress =
  | { readonly kind: 'saved' | 'saving' | 'closed' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | {
      readonly kind: 'undecided' | 'refused' | 'incomplete' | 'incomplete-head';
      /** The keys of the lines and packages, or the fields of the head, that it is about. */
      readonly places: readonly string[];
    };

/** How far what is typed is saved: what somebody has to do something about comes first. */
export function progressOf(state: SaverState, language: Language): Progress {
  const { draft, saved, conflicts, refused, failure, isBusy, isClosed } = state;
  if (isClosed) return { kind: 'closed' };
  if (failure !== undefined) return { kind: 'failed', error: failure };
  const undecided = conflicts.filter(({ kind }) => kind !== 'order').map(({ at }) => at);
  if (undecided.length > 0) return { kind: 'undecided', places: undecided };
  if (refused.length > 0) return { kind: 'refused', places: [] };
  if (isBusy) return { kind: 'saving' };
  const fields = unfinishedFields(draft, saved, language);
  if (fields.length > 0) return { kind: 'incomplete-head', places: fields };
  const places = unfinishedIn(draft, language);
  return places.length > 0 ? { kind: 'incomplete', places } : { kind: 'saved' };
}

/** Fields of the head that were changed to what cannot be saved. */
function unfinishedFields(draft: Draft, saved: Draft, language: Language): readonly string[] {
  const isSame = sameIn(language);
  const wrong = Object.keys(problemsOfHead(draft, language)) as (keyof ReturnType<typeof problemsOfHead>)[];
  return wrong.filter((field) => !isSame(field, draft[field], saved[field]));
}

/** The keys of lines and packages that miss something. */
export function unfinishedIn(draft: Draft, language: Language): readonly string[] {
  return draft.packages.flatMap((one) => {
    const lines = one.lines.filter((line) => !isBlank(line) && !readLine(line, language));
    const isUnnamed = !isUnused(one) && !readPackage(one);
    return [...(isUnnamed ? [one.key] : []), ...lines.map(({ key }) => key)];
  });
}
