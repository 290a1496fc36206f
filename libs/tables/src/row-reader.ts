import type { ErrorDetail } from '@tenantry/envelope';
import { cellText, composed, isVisible } from '@tenantry/text';
import { addressLines } from './addresses.ts';
import type { TableRow } from './delimited.ts';
import type { Fields } from './fields.ts';
import type { Alternatives, Mapping, Together } from './mapping.ts';

/** What is odd about a row, as far as its fields can have it; `…InNotes` and `…LeftOut` begin with the field that it did not fit. */
export function rowWarningsOf<const Field extends string>({ names, kept, notesLength }: Fields<Field>) {
  const isKept = Object.keys(kept) as Field[];
  const has = (name: string) => (names as readonly string[]).includes(name);
  const hasNotes = notesLength > 0;
  return [
    // A number that a spreadsheet has written as 4.67012E+10.
    ...(has('phone') ? ['roundedPhone'] : []),
    // A name of one letter.
    'shortName',
    // UTF-8 that was read as another encoding, such as ZoÃ«.
    'readTwice',
    // Letters that the encoding of the file does not have.
    'unknownLetters',
    // What a spreadsheet writes in place of a value, such as #N/A.
    'spreadsheetError',
    // Several values, of which the first is taken.
    hasNotes ? 'moreInNotes' : 'moreLeftOut',
    // A value that does not fit into its field.
    ...isKept.map((field) => `${field}${hasNotes ? 'InNotes' : 'LeftOut'}`),
    // More than notes may have.
    ...(hasNotes ? ['notesCut'] : []),
  ];
}

/** A value that no field had room for. */
export interface LeftOutValue {
  readonly field: string;
  /** What follows the name of the field in a sentence. */
  readonly message: string;
}

/** A row of a file as what it becomes, or its problems. */
export interface FieldRow<Field extends string, Item> extends TableRow {
  readonly warnings: readonly string[];
  /** What the fields are made of, whether or not they are valid. */
  readonly texts: Readonly<Partial<Record<Field, string>>>;
  readonly item?: Item;
  readonly problems: readonly ErrorDetail[];
  readonly leftOut: readonly LeftOutValue[];
}

/** How the rows of a table are read. */
export interface RowMapping<Field extends string> {
  readonly names: readonly string[];
  readonly mapping: Mapping<Field>;
  /** The columns that say of what kind another one's value is. */
  readonly labels: ReadonlyMap<number, number>;
  /** Whether the columns of no field are kept in the notes, as "Column: value". */
  readonly keepsRest: boolean;
}

/** What is wrong with the texts of a row; writes them as they are stored. */
export type CheckTexts = (texts: object) => readonly ErrorDetail[];

/** Between several values in one cell of Google Contacts. */
const several = ':::';
/** Between several addresses, as people write them. */
const severalAddresses = /[;,](?=[^@]*@)/;
/** An address as mail programs write it: with the name of its owner, or as a link. */
const wrappedAddress = /^(?:mailto:|[^<>]*<)([^<>]+@[^<>]+?)>?$/i;
/** Addresses are shorter: what is longer is not searched for several. */
const addressesLengthMax = 1_000;
/** A text that a spreadsheet shall not take for a number. */
const quotedText = /^="(.*)"$/s;
const rounded = /^\d[.,]\d+E\+?\d+$/i;
const readTwice =
  /[ÃÂ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|â€/;
const spreadsheetErrors =
  /^#(?:N\/A|REF!|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|ERROR!|SAKNAS!|NV|WERT!|BEZUG!|VÄRDEFEL!|REFERENS!|NAMN\?)$/i;
/** Marks of direction, which some programs put around numbers. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Makes the reader of the rows of a table. An item is the texts of a row without problems. */
export function rowReader<Field extends string, Item>(
  { names: fieldNames, kindOf, kept, notesLength }: Fields<Field>,
  { names, mapping, labels, keepsRest }: RowMapping<Field>,
  check: CheckTexts,
): (row: TableRow) => FieldRow<Field, Item> {
  const fields = fieldNames.filter((field) => field !== 'notes');
  const hasNotes = notesLength > 0;
  const without = hasNotes ? 'InNotes' : 'LeftOut';
  const by = mapping as Readonly<Partial<Record<string, Alternatives>>>;
  const mapped = new Set(Object.values<Alternatives>(mapping).flat(2));
  const labelColumns = new Set(labels.values());
  const addressKinds = new Map(
    (by['address'] ?? []).flat().map((column) => [column, kindOf(names[column - 1] ?? '')?.kind]),
  );
  const nameOf = (column: number, cells: readonly string[]): string => {
    const label = (cells[(labels.get(column) ?? 0) - 1] ?? '').replace(/^\*\s*/, '').trim();
    const name = (names[column - 1] ?? '').replaceAll(/\s+/g, ' ') || String(column);
    return label !== '' && !/^(?:smtp|ex)$/i.test(label) ? label : name;
  };
  return ({ cells, line }) => {
    const warnings = new Set<string>();
    const valueAt = (column: number): string => {
      const cell = cellText(cells[column - 1] ?? '').trim();
      const text = quotedText.exec(cell)?.[1]?.trim() ?? cell;
      if (!spreadsheetErrors.test(text)) return isVisible(text) ? text : '';
      warnings.add('spreadsheetError');
      return '';
    };
    const inNotes: string[] = [];
    const leftOut: LeftOutValue[] = [];
    /** A value without a place: in the notes, or else reported. */
    const setAside = (field: string, column: number, value: string): void => {
      if (value === '') return;
      if (hasNotes) inNotes.push(`${nameOf(column, cells)}: ${value}`);
      else leftOut.push({ field, message: `has no room for "${value}" (${nameOf(column, cells)})` });
    };
    const joined = (field: Field, together: Together): string =>
      field === 'address'
        ? addressLines(
            together.map((column) => ({
              kind: addressKinds.get(column),
              text: valueAt(column).split(several, 1)[0] ?? '',
            })),
          )
        : together.map(valueAt).filter(isText).join(' ');
    const texts: Partial<Record<Field, string>> = {};
    const origins: Partial<Record<Field, number>> = {};
    for (const field of fields) {
      const found = firstFilled(mapping[field], (together) => joined(field, together));
      if (found === undefined) continue;
      const [first = '', ...others] = valuesOf(field, found.text);
      const [column = 0] = found.columns;
      [texts[field], origins[field]] = [first, column];
      if (others.length > 0) warnings.add(`more${without}`);
      for (const other of others) setAside(field, column, other);
      if (hasNotes && field !== 'email' && field !== 'phone') continue;
      const asideBefore = leftOut.length;
      for (const each of mapping[field].flat()) {
        const isTaken = found.columns.includes(each);
        if (isTaken && field !== 'address') continue;
        const values = isTaken ? valueAt(each).split(several).slice(1) : [valueAt(each)];
        // A part of what was taken, such as a first name, is not lost.
        for (const value of values.map((text) => text.trim()))
          if (hasNotes || !isWithin(value, first)) setAside(field, each, value);
      }
      if (leftOut.length > asideBefore) warnings.add('moreLeftOut');
    }
    for (const field of fields) {
      const [keep, text = ''] = [kept[field], texts[field]];
      if (keep === undefined || text === '') continue;
      const value = keep(text);
      texts[field] = value ?? '';
      if (value !== undefined) continue;
      warnings.add(`${field}${without}`);
      const column = origins[field] ?? 0;
      if (hasNotes) inNotes.unshift(`${nameOf(column, cells)}: ${text}`);
      else setAside(field, column, text);
    }
    const { name: whole = '' } = texts as { readonly name?: string };
    if (hasNotes && keepsRest) {
      for (let column = 1; column <= cells.length; column += 1) {
        if (mapped.has(column) || labelColumns.has(column)) continue;
        setAside('notes', column, valueAt(column));
      }
      // The company of a person that a name would have been made of otherwise.
      for (const column of (by['name'] ?? []).flat()) {
        const value = valueAt(column);
        if (!whole.includes(value)) setAside('name', column, value);
      }
    }
    if (hasNotes) {
      const own = (by['notes'] ?? []).flat().map(valueAt).filter(isText);
      const notes = cut([...own, ...inNotes], notesLength);
      if (notes.isCut) warnings.add('notesCut');
      if (notes.text !== '') Object.assign(texts, { notes: notes.text });
    }
    warn(texts, warnings);
    const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as typeof texts;
    const problems = check(given);
    const row = { cells, line, texts: given, problems, leftOut, warnings: [...warnings] };
    return problems.length > 0 ? row : { ...row, item: given as unknown as Item };
  };
}

const isText = (value: string): boolean => value !== '';

const plainOf = (text: string): string => text.replaceAll(/\s+/g, ' ').toLowerCase();
const isWithin = (part: string, whole: string): boolean => plainOf(whole).includes(plainOf(part));

/** The values in a cell: of a name or an address always one. */
function valuesOf(field: string, text: string): readonly string[] {
  if (field === 'name' || field === 'address') return [text];
  const values = text.split(several).map((value) => value.trim());
  if (field === 'phone') {
    return values.map((value) =>
      value
        .replaceAll(directions, '')
        .replace(/^(?:tel|p):/i, '')
        .trim(),
    );
  }
  if (field !== 'email' || text.length > addressesLengthMax) return values;
  return values
    .flatMap((value) => value.split(severalAddresses))
    .map((value) => (wrappedAddress.exec(value.trim())?.[1] ?? value).trim());
}

/** The first alternative with a value. */
function firstFilled(alternatives: Alternatives, textOf: (columns: Together) => string) {
  for (const columns of alternatives) {
    const text = textOf(columns);
    if (text !== '') return { text, columns };
  }
  return undefined;
}

/** Lines as far as they fit, the last of them cut. */
function cut(
  lines: readonly string[],
  lengthMax: number,
): { readonly text: string; readonly isCut: boolean } {
  const text = composed(lines.join('\n'));
  if (text.length <= lengthMax) return { text, isCut: false };
  const letters = Array.from(text);
  return letters.length <= lengthMax
    ? { text, isCut: false }
    : {
        text: `${letters
          .slice(0, lengthMax - 1)
          .join('')
          .trimEnd()}…`,
        isCut: true,
      };
}

function warn(texts: Readonly<Partial<Record<string, string>>>, warnings: Set<string>): void {
  const { name = '', phone = '' } = texts;
  const all = Object.values(texts);
  if (rounded.test(phone)) warnings.add('roundedPhone');
  if (Array.from(name).length === 1) warnings.add('shortName');
  if (all.some((text) => text !== undefined && readTwice.test(text))) warnings.add('readTwice');
  if (all.some((text) => text?.includes('\ufffd') === true)) warnings.add('unknownLetters');
}
