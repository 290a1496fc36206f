/** A name in the two parts that the users API shows. */
export interface DividedName {
  readonly firstName: string;
  /** Empty for somebody with one name. */
  readonly lastName: string;
}

/** A name as an account has it. */
export interface WholeName {
  readonly name: string;
  /** The end of `name` that is the family name, where somebody has said so. */
  readonly familyName: string | null;
}

/** How long each part is at most, in characters. */
export const namePartMax = 50;

/** The whole name; {@link divideName} divides it at the same place again. */
export function wholeName({ firstName, lastName }: DividedName): WholeName {
  return lastName === ''
    ? { name: firstName, familyName: null }
    : { name: `${firstName} ${lastName}`, familyName: lastName };
}

/** Divides a name before its family name, or before its last word where nobody has said which part that is. */
export function divideName({ name, familyName }: WholeName): DividedName {
  const isSaid =
    familyName !== null && name.length > familyName.length + 1 && name.endsWith(` ${familyName}`);
  const at = isSaid ? name.length - familyName.length - 1 : name.lastIndexOf(' ');
  if (at < 0) return { firstName: cut(name), lastName: '' };
  return { firstName: cut(name.slice(0, at).trimEnd()), lastName: cut(name.slice(at + 1)) };
}

/** The account may have a longer name than the users API can show. */
const cut = (part: string): string => Array.from(part).slice(0, namePartMax).join('').trimEnd();
