import { cellText } from '@tenantry/service/archive';
import type { ReadRow } from '@tenantry/service/files';
import { composed, isVisible, type Check } from '@tenantry/service/validation';
import type { Alternatives, Mapping, TableRow } from '@tenantry/tables';
import type { NewLead } from '../leads/lead.ts';
import { textLengths, type LeadText } from '../leads/lead-texts.ts';

/** What is odd about a row that is imported. */
export const rowWarnings = [
  // A number that a spreadsheet has written as 4.67012E+10.
  'roundedPhone',
  // A name of one letter.
  'shortName',
  // UTF-8 that was read as another encoding, such as ZoÃ«.
  'readTwice',
  // Letters that the encoding of the file does not have.
  'unknownLetters',
  // What a spreadsheet writes in place of a value, such as #N/A.
  'spreadsheetError',
  // Several values, of which the first is taken and the others are in the notes.
  'moreInNotes',
  // Too long for its field, and in the notes instead.
  'phoneInNotes',
  'sourceInNotes',
  // More than notes may have.
  'notesCut',
] as const;
export type RowWarning = (typeof rowWarnings)[number];

/** A row of a file: a lead, or its problems. */
export type LeadRow = ReadRow<NewLead> & {
  readonly warnings: readonly RowWarning[];
  /** What the fields are made of, whether or not they are a lead. */
  readonly texts: Readonly<Partial<Record<LeadText, string>>>;
};

/** How the rows of a table become leads. */
export interface RowMapping {
  readonly names: readonly string[];
  readonly mapping: Mapping<LeadText>;
  /** The columns that say of what kind another one's value is. */
  readonly labels: ReadonlyMap<number, number>;
  /** Whether the columns of no field are kept in the notes, as "Column: value". */
  readonly keepsRest: boolean;
}

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

/** Makes the reader of the rows of a table. */
export function rowReader(
  { names, mapping, labels, keepsRest }: RowMapping,
  check: Check,
): (row: TableRow) => LeadRow {
  const mapped = new Set(Object.values(mapping).flat(2));
  const labelColumns = new Set(labels.values());
  const nameOf = (column: number, cells: readonly string[]): string => {
    const label = (cells[(labels.get(column) ?? 0) - 1] ?? '').replace(/^\*\s*/, '').trim();
    const name = (names[column - 1] ?? '').replaceAll(/\s+/g, ' ') || String(column);
    return label !== '' && !/^(?:smtp|ex)$/i.test(label) ? label : name;
  };
  return ({ cells, line }) => {
    const warnings = new Set<RowWarning>();
    const valueAt = (column: number): string => {
      const cell = cellText(cells[column - 1] ?? '').trim();
      const text = quotedText.exec(cell)?.[1]?.trim() ?? cell;
      if (!spreadsheetErrors.test(text)) return isVisible(text) ? text : '';
      warnings.add('spreadsheetError');
      return '';
    };
    const kept: string[] = [];
    const texts: Partial<Record<LeadText, string>> = {};
    for (const field of ['name', 'email', 'phone', 'source'] as const) {
      const found = firstFilled(mapping[field], valueAt);
      if (found === undefined) continue;
      const [first = '', ...others] = valuesOf(field, found.text);
      texts[field] = first;
      if (others.length > 0) warnings.add('moreInNotes');
      const [column = 0] = found.columns;
      kept.push(...others.map((text) => `${nameOf(column, cells)}: ${text}`));
      if (field === 'email' || field === 'phone') {
        const rest = mapping[field].flat().filter((each) => !found.columns.includes(each));
        kept.push(...rest.flatMap((each) => linesOf(nameOf(each, cells), valueAt(each))));
      }
    }
    const [phone = '', source = ''] = [texts.phone, texts.source];
    for (const [field, text] of [
      ['phone', phone],
      ['source', source],
    ] as const) {
      if (Array.from(composed(text)).length <= textLengths[field]) continue;
      texts[field] = '';
      warnings.add(`${field}InNotes`);
      const [column = 0] = firstFilled(mapping[field], valueAt)?.columns ?? [];
      kept.unshift(`${nameOf(column, cells)}: ${text}`);
    }
    if (keepsRest) {
      for (let column = 1; column <= cells.length; column += 1) {
        if (mapped.has(column) || labelColumns.has(column)) continue;
        kept.push(...linesOf(nameOf(column, cells), valueAt(column)));
      }
      // The company of a person that a name would have been made of otherwise.
      for (const column of mapping.name.flat()) {
        const value = valueAt(column);
        if (value !== '' && texts.name?.includes(value) !== true)
          kept.push(`${nameOf(column, cells)}: ${value}`);
      }
    }
    const own = mapping.notes
      .flat()
      .map(valueAt)
      .filter((text) => text !== '');
    const notes = cut([...own, ...kept], textLengths.notes);
    if (notes.isCut) warnings.add('notesCut');
    if (notes.text !== '') texts.notes = notes.text;
    warn(texts, warnings);
    const lead = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
    const problems = check(lead);
    const common = { cells, line, texts: lead, problems, warnings: [...warnings] };
    return problems.length > 0 ? common : { ...common, item: lead as unknown as NewLead };
  };
}

/** The values in a cell: of a name always one. */
function valuesOf(field: LeadText, text: string): readonly string[] {
  if (field === 'name') return [text];
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

const linesOf = (name: string, value: string): string[] => (value === '' ? [] : [`${name}: ${value}`]);

/** The first alternative with a value, its columns joined by blanks. */
function firstFilled(alternatives: Alternatives, valueAt: (column: number) => string) {
  for (const columns of alternatives) {
    const text = columns
      .map(valueAt)
      .filter((value) => value !== '')
      .join(' ');
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

function warn(
  { name = '', email = '', phone = '', ...others }: LeadRow['texts'],
  warnings: Set<RowWarning>,
): void {
  const all = [name, email, phone, ...Object.values(others)];
  if (rounded.test(phone)) warnings.add('roundedPhone');
  if (Array.from(name).length === 1) warnings.add('shortName');
  if (all.some((text) => readTwice.test(text))) warnings.add('readTwice');
  if (all.some((text) => text.includes('\ufffd'))) warnings.add('unknownLetters');
}
