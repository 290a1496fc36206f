import { kindsBy, type KindOf } from './column-kinds.ts';
import { peopleWords, type PeopleColumn } from './column-words.ts';

/** What a service makes of the columns of files. */
export interface Fields<Field extends string> {
  /** In the order in which responses name them. */
  readonly names: readonly Field[];
  readonly kindOf: KindOf<PeopleColumn | Field>;
}

/**
 * The fields that a service reads from files.
 *
 * @param words what programs and people call the columns of each field that is not in the files of other services too, as
 *   `column-words.ts` writes it for those that are: in small letters, without accents, blanks and signs, separated by blanks
 * @example fieldsOf(['name', 'email', 'vatNumber'], { vatNumber: 'vatnumber vatid momsregnr ustidnr' })
 */
export const fieldsOf = <Field extends string>(
  names: readonly Field[],
  words: Readonly<Record<Exclude<Field, PeopleColumn>, string>>,
): Fields<Field> => ({
  names,
  kindOf: kindsBy<PeopleColumn | Field>({ ...peopleWords, ...words } as Record<PeopleColumn | Field, string>),
});
