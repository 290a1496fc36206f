/** A name in the two parts that the users API shows. */
export interface DividedName {
  readonly firstName: string;
  /** Empty if there is only one name. */
  readonly lastName: string;
}

/** The name of an account. */
export interface WholeName {
  readonly name: string;
  /** The end of `name` that is the family name, if known. */
  readonly familyName: string | null;
}

/** Maximum length of each part, in characters. */
export const namePartMax = 50;

/** Maximum length of an account's whole name, in characters. */
export const nameMax = 2 * namePartMax + 1;

/** The whole name; {@link partsOf} divides it at the same place again. */
export function wholeName({ firstName, lastName }: DividedName): WholeName {
  if (lastName === '') return { name: firstName, familyName: null };
  // A longer last word is found by its position, since it was not given as the family name.
  const familyName = lengthOf(lastName) > namePartMax ? null : lastName;
  return { name: `${firstName} ${lastName}`, familyName };
}

/** Divides a name before its family name, or before its last word if that is unknown. */
export function partsOf({ name, familyName }: WholeName): DividedName {
  const isSaid =
    familyName !== null && name.length > familyName.length + 1 && name.endsWith(` ${familyName}`);
  const at = isSaid ? name.length - familyName.length - 1 : name.lastIndexOf(' ');
  if (at < 0) return { firstName: name, lastName: '' };
  return { firstName: name.slice(0, at).trimEnd(), lastName: name.slice(at + 1) };
}

/** The two parts as the users API shows them, truncated if the account's are longer. */
export function divideName(whole: WholeName): DividedName {
  const { firstName, lastName } = partsOf(whole);
  return { firstName: cut(firstName), lastName: cut(lastName) };
}

/**
 * The whole name after a change. A part that is omitted, or equals the part shown, keeps the account's value, even if that is
 * longer.
 */
export function changedName(whole: WholeName, changes: Partial<DividedName>): WholeName {
  const [parts, shown] = [partsOf(whole), divideName(whole)];
  const changed = {
    firstName: isChanged(changes.firstName, shown.firstName) ? changes.firstName : parts.firstName,
    lastName: isChanged(changes.lastName, shown.lastName) ? changes.lastName : parts.lastName,
  };
  const isSame = changed.firstName === parts.firstName && changed.lastName === parts.lastName;
  return isSame ? whole : wholeName(changed);
}

/** The number of characters in a text. */
export const lengthOf = (text: string): number => Array.from(text).length;

const isChanged = (given: string | undefined, shown: string): given is string =>
  given !== undefined && given !== shown;

const cut = (part: string): string => Array.from(part).slice(0, namePartMax).join('').trimEnd();
