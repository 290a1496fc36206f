import { leadTexts, type LeadText } from './lead-texts.ts';

/** What two people may change of one lead. */
export type ComparedField = LeadText | 'status';
const comparedFields: readonly ComparedField[] = [...leadTexts, 'status'];

type Version = Readonly<Partial<Record<ComparedField, string | null | undefined>>>;

/** The fields that somebody else has changed, and the one that is being changed here. */
export function differing(base: Version, now: Version, edited: ComparedField): ComparedField[] {
  return comparedFields.filter(
    (field) => field === edited || (base[field] !== undefined && base[field] !== now[field]),
  );
}
