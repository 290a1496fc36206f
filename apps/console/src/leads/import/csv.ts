/** A row of a file: its cells, and the line that it begins in, from 1. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** What separates the cells of a row. */
export const separators = [',', ';', '\t'] as const;
export type Separator = (typeof separators)[number];

/** The text of a file: UTF-8, otherwise Windows-1252, as written by older spreadsheets. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The most frequent separator in the first line, outside of quotes; a tab takes precedence. */
export function separatorOf(text: string): Separator {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counted = separators
    .toReversed()
    .map((separator) => ({ separator, count: line.split(separator).length }));
  return counted.toSorted((one, other) => other.count - one.count)[0]?.separator ?? ',';
}

/** Reads the rows of a file (RFC 4180), one after the other; empty lines are skipped. */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  const cell = new RegExp(String.raw`"((?:[^"]|"")*)"([^${separator}\r\n]*)|([^${separator}\r\n]*)`, 'y');
  let line = 1;
  let cells: string[] = [];
  let begin = line;
  for (let at = 0; at <= text.length;) {
    cell.lastIndex = at;
    const [whole = '', quoted, behind = '', plain = ''] = cell.exec(text) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + behind);
    line += quoted === undefined ? 0 : linesIn(quoted);
    at += whole.length;
    if (text[at] === separator) {
      at += 1;
      continue;
    }
    if (cells.length > 1 || cells[0] !== '') yield { cells, line: begin };
    if (at >= text.length) return;
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    line += 1;
    begin = line;
    cells = [];
  }
}

const linesIn = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** Where a spreadsheet would begin to read a formula, as the service has it. */
const cellBegins = String.raw`(?<=^|[,;:|\t\r\n])`;
const formulaAhead = String.raw`(?=(?:[^\S\t\r\n]|['"])*[=+\-@\uff1d\uff0b\uff0d\uff20])`;
const unsafe = new RegExp(cellBegins + formulaAhead, 'g');
const madeSafe = new RegExp(`${cellBegins}'${formulaAhead}`, 'g');

/** The text behind a cell: without the quote that stands before what a spreadsheet would run. */
export const cellText = (cell: string): string => cell.replace(madeSafe, '');

/** Writes a row whose cells no spreadsheet runs. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((text) => quotedCell(text.replace(unsafe, "'"))).join(',')}\r\n`;

const quotedCell = (text: string): string =>
  /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
