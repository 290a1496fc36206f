import { kindsBy, type KindOf } from './column-kinds.ts';
import { addressWords, peopleWords, type AddressColumn, type PeopleColumn } from './column-words.ts';

/** What a service makes of the columns of files. */
export interface Fields<Field extends string> {
  /** In the order in which responses name them. */
  readonly names: readonly Field[];
  readonly kindOf: KindOf<PeopleColumn | Field>;
  readonly kept: KeptValues<Field>;
  /** How many characters the notes may have; 0 where there are none. */
  readonly notesLength: number;
}

/**
 * A value as a field keeps it; undefined for one that does not fit. That refuses no row: the value goes to the notes, or is left
 * out where there are none.
 */
export type KeptValues<Field extends string> = Readonly<
  Partial<Record<Field, (text: string) => string | undefined>>
>;

/** The words of columns that all services know. */
type KnownColumn = PeopleColumn | AddressColumn;

/**
 * The fields that a service reads from files. `name`, `email`, `phone`, `address` and `notes` are read as people have them; any other
 * is a text.
 *
 * @param words what programs and people call the columns of each field that is not in the files of other services too, as
 *   `column-words.ts` writes it for those that are: in small letters, without accents, blanks and signs, separated by blanks
 * @example fieldsOf(['name', 'email', 'vatNumber'], { vatNumber: 'vatnumber vatid momsregnr ustidnr' })
 */
export const fieldsOf = <Field extends string>(
  names: readonly Field[],
  words: Readonly<Record<Exclude<Field, KnownColumn>, string>>,
  { kept, notesLength = 0 }: { readonly kept?: KeptValues<Field>; readonly notesLength?: number } = {},
): Fields<Field> => {
  const all: readonly string[] = names;
  return {
    ...{ names, kept: kept ?? ({} as KeptValues<Field>), notesLength },
    kindOf: kindsBy<PeopleColumn | Field>({
      ...peopleWords,
      ...(all.includes('address') && addressWords),
      ...words,
    } as Record<PeopleColumn | Field, string>),
  };
};
