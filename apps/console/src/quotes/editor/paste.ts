import type { Language } from '../../design/language.ts';
import { formatDecimal, parseDecimal } from '../../design/decimals.ts';
import { blankLine, type DraftLine, type LineField } from './draft.ts';

/**
 * The lines in what was copied from a spreadsheet: cells between tabs, rows between line breaks, and quotes around cells that
 * have either. Columns are known by their titles, where the first row has them, or by what is in them.
 *
 * @returns undefined where it is one cell, which is pasted as text
 */
export function linesFromClipboard(
  text: string,
  { language, unit }: PasteReading,
): readonly DraftLine[] | undefined {
  const rows = rowsOf(text).filter((row) => row.some((cell) => cell.trim() !== ''));
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (rows.length <= 1 && width <= 1) return undefined;
  const titled = columnsByTitle(rows[0] ?? []);
  const columns = titled ?? columnsByContent(rows, { width, language });
  const lines = (titled ? rows.slice(1) : rows).map((row) => lineOf(row, { columns, language, unit }));
  return lines.length === 0 ? undefined : lines;
}

/** How what was copied is read. */
export interface PasteReading {
  readonly language: Language;
  /** What lines count in that do not say. */
  readonly unit: string;
}

/** Cells by row, as spreadsheets put them into the clipboard. */
export function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(cell)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\t') continue;
    rows.push(row);
    row = [];
    if (end === '') break;
  }
  return rows.at(-1)?.every((last) => last === '') ? rows.slice(0, -1) : rows;
}

/** A cell, in quotes or not, and what ends it. */
const cell = /(?:"((?:[^"]|"")*)"(?=\t|\r?\n|$)|([^\t\r\n]*))(\t|\r?\n|\r|$)/g;

type Column = LineField | 'total' | undefined;

const titles: readonly (readonly [RegExp, Column])[] = [
  [/^(?:art(?:ikel|icle)?\.?\s*-?(?:nr|no|number|nummer)?\.?|sku|item no\.?)$/, 'articleNumber'],
  [/^(?:description|beskrivning|benämning|item|text|produkt|product|tjänst|service)$/, 'description'],
  [/^(?:quantity|qty\.?|antal|mängd|amount)$/, 'quantity'],
  [/^(?:unit|enhet|enh\.?)$/, 'unit'],
  [/^(?:unit price|price|à-pris|a-pris|á-pris|à pris|a pris|pris|styckpris|pris\/enhet|rate)$/, 'unitPrice'],
  [/^(?:total|totalt|summa|sum|belopp|line total)$/, 'total'],
];

const columnOf = (title: string): Column =>
  titles.find(([known]) => known.test(title.trim().normalize('NFC').toLowerCase()))?.[1];

/** The columns of a row of titles; undefined where it is none. */
function columnsByTitle(row: readonly string[]): readonly Column[] | undefined {
  const columns = row.map(columnOf);
  const isTitled = columns.includes('description') && columns.filter((column) => column).length > 1;
  return isTitled ? columns : undefined;
}

interface Layout {
  readonly width: number;
  readonly language: Language;
}

/** Numbers are quantity, price and what they come to, in this order; the longest text describes, what is before it is a number. */
function columnsByContent(
  rows: readonly (readonly string[])[],
  { width, language }: Layout,
): readonly Column[] {
  const indexes = Array.from({ length: width }, (_, index) => index);
  const cells = (index: number) => rows.map((row) => row[index] ?? '').filter((text) => text.trim() !== '');
  const isNumeric = (index: number) =>
    cells(index).length > 0 && cells(index).every((text) => parseDecimal(text, language) !== undefined);
  const lengthOf = (index: number) => cells(index).reduce((sum, text) => sum + text.length, 0);
  const texts = indexes.filter((index) => !isNumeric(index));
  const described = texts.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0] ?? 0;
  const numbers = indexes.filter((index) => index > described && isNumeric(index));
  const amounts: readonly Column[] =
    numbers.length === 1 ? ['unitPrice'] : ['quantity', 'unitPrice', 'total'];
  return indexes.map((index) => {
    if (index === described) return 'description';
    if (numbers.includes(index)) return amounts[numbers.indexOf(index)];
    if (index < described) return index === described - 1 ? 'articleNumber' : undefined;
    return texts.find((text) => text > described) === index ? 'unit' : undefined;
  });
}

interface RowLayout extends PasteReading {
  readonly columns: readonly Column[];
}

function lineOf(row: readonly string[], { columns, language, unit }: RowLayout): DraftLine {
  const textOf = (column: LineField) => (row[columns.indexOf(column)] ?? '').trim();
  const numberOf = (column: LineField) => {
    const value = parseDecimal(textOf(column), language);
    return value === undefined ? textOf(column) : formatDecimal(value, language);
  };
  const hasQuantity = columns.includes('quantity');
  return {
    ...blankLine(textOf('unit') || unit),
    articleNumber: textOf('articleNumber'),
    description: textOf('description'),
    quantity: hasQuantity ? numberOf('quantity') : '1',
    unitPrice: numberOf('unitPrice'),
  };
}
