import { leadTexts, textKinds, type LeadText } from '../lead-texts.ts';

/** What each column of a file is; undefined: left out. */
export type Columns = readonly (LeadText | undefined)[];

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

/** Guesses what the columns of a file are, by its first line; nothing is guessed twice. */
export function guessColumns(header: readonly string[]): Columns {
  const taken = new Set<LeadText>();
  return header.map((cell) => {
    const field = leadTexts.find((each) => textKinds[each].columns.includes(plain(cell)) && !taken.has(each));
    if (field) taken.add(field);
    return field;
  });
}

/** Whether a first line names columns: else it is a row like the others. */
export const isHeader = (header: readonly string[]): boolean =>
  guessColumns(header).some((field) => field !== undefined) && !header.some((cell) => cell.includes('@'));

/** Guesses the columns of a file without names: an address is known by its sign. */
export function guessByContent(row: readonly string[]): Columns {
  const at = row.findIndex((cell) => cell.includes('@'));
  const others = row.map((_, n) => n).filter((n) => n !== at);
  return row.map((_, n) => (n === at ? 'email' : n === others[0] ? 'name' : undefined));
}

/** Makes a column of a file a field; the one that was it before is left out. */
export const withColumn = (columns: Columns, at: number, field: LeadText | undefined): Columns =>
  columns.map((each, n) => (n === at ? field : each === field ? undefined : each));
