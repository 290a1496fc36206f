/** What of a lead is changed where it stands. */
export type EditedField = 'name' | 'email' | 'phone' | 'source' | 'notes';

/** What two people may change of one lead. */
export const comparedFields = ['name', 'email', 'phone', 'source', 'notes', 'status'] as const;
export type ComparedField = (typeof comparedFields)[number];

type Version = Readonly<Partial<Record<ComparedField, string | null | undefined>>>;

/** The fields that somebody else has changed, and the one that is being changed here. */
export function differing(base: Version, now: Version, edited: ComparedField): ComparedField[] {
  return comparedFields.filter(
    (field) => field === edited || (base[field] !== undefined && base[field] !== now[field]),
  );
}
