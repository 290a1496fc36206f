import { foldText } from '@tenantry/text';
import { labelWords, qualifiers } from './column-words.ts';

/** What the name of a column says of it. */
export interface ColumnKind<Kind extends string> {
  readonly kind: Kind;
  /** Which of several it is, as in "E-mail 2"; 0 without a number. */
  readonly number: number;
  /** Whether it only says of what kind the value of another column is, as in "Phone 1 - Label". */
  readonly isLabel: boolean;
  /** The other words of it: "business" of "Business Street 2", "1" of "Address 1 - Street". */
  readonly which: string;
}

/** Tells what a column is by its name; undefined for one that is not known. */
export type KindOf<Kind extends string> = (name: string) => ColumnKind<Kind> | undefined;

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const qualifierSet: ReadonlySet<string> = new Set(wordsOf(qualifiers));
const labelSet: ReadonlySet<string> = new Set(wordsOf(labelWords));

/** A name of a column without case, accents, blanks and signs: "E-post, adress" is "epostadress". */
export const compact = (name: string): string => partsOf(name).join('');

function partsOf(name: string): string[] {
  return (
    foldText(name.slice(0, 200).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
      .replaceAll(/\be[-\s](?=mail|post|postadress|mejl)/g, 'e')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Knows columns by the words for each kind: folded, without blanks and signs. */
export function kindsBy<Kind extends string>(words: Readonly<Record<Kind, string>>): KindOf<Kind> {
  const kindByWord = new Map(
    (Object.keys(words) as Kind[]).flatMap((kind) =>
      wordsOf(words[kind]).map((word) => [word, kind] as const),
    ),
  );
  return function kindOf(name: string): ColumnKind<Kind> | undefined {
    const parts = partsOf(name);
    const number = Number(
      parts.find((part) => /^\d{1,2}$/.test(part)) ?? /\D(\d)$/.exec(parts.at(-1) ?? '')?.[1] ?? 0,
    );
    const unlabelled = parts.filter((part) => !labelSet.has(part));
    const isLabel = unlabelled.length < parts.length;
    if (isLabel && unlabelled.length === 0) return undefined;
    const whole = unlabelled.map((part, n) =>
      n === unlabelled.length - 1 ? part.replace(/(?<=\D)\d$/, '') : part,
    );
    const unnumbered = whole.filter((part) => !/^\d+$/.test(part));
    const plain = unnumbered.filter((part) => !qualifierSet.has(part));
    // "Person - Name" is a name, and "Organization - Name" is not.
    const behindFirst = qualifierSet.has(unnumbered[0] ?? '') ? unnumbered.slice(1) : unnumbered;
    for (const tried of [whole, unnumbered, behindFirst, plain]) {
      const kind = kindByWord.get(tried.join(''));
      if (kind !== undefined) return { kind, number, isLabel, which: whichOf(whole, tried) };
    }
    // "Telefon (dagtid)": what is in brackets only says more.
    const [before = '', ...further] = name.split('(');
    return further.length > 0 ? kindOf(before) : undefined;
  };
}

/** The words that are not those of the kind; a number behind these says which of several it is, as `number` does. */
const whichOf = (parts: readonly string[], ofKind: readonly string[]): string =>
  parts
    .filter((part, n) => {
      const isNumber = /^\d+$/.test(part) && n > parts.indexOf(ofKind[0] ?? '');
      return !isNumber && !ofKind.includes(part) && !/^add?ress?e?$/.test(part);
    })
    .join(' ');
