import { pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, parse, type Info } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';

/** A row of a file: its cells, and the line that it begins in. */
export interface CsvRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * Where a spreadsheet may recognize a formula: at the beginning of a cell, and after any character that may separate cells or
 * rows. Excel uses the separator of its locale, whatever the file has, and then ignores quotes too.
 */
const cellBegins = String.raw`(?<=^|[,;:|\t\r\n])`;
const formulaAhead = String.raw`(?=(?:[^\S\t\r\n]|['"])*[=+\-@\uff1d\uff0b\uff0d\uff20])`;
const unsafe = new RegExp(cellBegins + formulaAhead, 'g');
const madeSafe = new RegExp(`${cellBegins}'${formulaAhead}`, 'g');

/**
 * A cell that no spreadsheet executes: a quote precedes whatever could be taken for a formula, with any separator.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
export const safeCell = (text: string): string => text.replace(unsafe, "'");

/** The text behind a cell of {@link safeCell}. */
export const cellText = (cell: string): string => cell.replace(madeSafe, '');

/** Byte order mark, by which programs that guess recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/** Writes rows as RFC 4180 has them; cells that hold any usual separator are in quotes. */
export function csvText(rows: readonly (readonly (string | null)[])[]): string {
  return stringify(
    rows.map((cells) => cells.map((cell) => safeCell(cell ?? ''))),
    { record_delimiter: 'windows', quoted_match: /[;|\t\r\n]/ },
  );
}

/** Rows that are written at once: those with the longest notes, all of them in need of quotes, take some milliseconds. */
const rowsAtOnce = 25;

/** The same in parts, letting other requests run in between. */
export async function* csvTexts(rows: readonly (readonly (string | null)[])[]): AsyncGenerator<string> {
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    yield csvText(rows.slice(at, at + rowsAtOnce));
    await setImmediate();
  }
}

/** A file with unbalanced quotes: from that line on its rows cannot be separated. */
export class UnreadableCsv extends Error {
  readonly line: number;

  constructor(line: number, options: ErrorOptions) {
    super(`The quotes of the file do not match up at line ${line}.`, options);
    this.line = line;
  }
}

/** Rows of leads are far shorter; an unclosed quote would make the whole file one row. */
const rowLengthMax = 64 * 1024;
const pieceBytes = 1024;
const sliceMs = 10;

/**
 * Reads the rows of a file as it arrives. Fields are separated by commas, or by semicolons where the first line has
 * one: so spreadsheets write them in countries with a decimal comma.
 *
 * @throws UnreadableCsv
 */
export async function* csvRows(text: AsyncGenerator<string>): AsyncGenerator<CsvRow> {
  const begin = await upToFirstLine(text);
  const parser = parse({
    delimiter: begin.split('\n', 1)[0]?.includes(';') ? ';' : ',',
    record_delimiter: ['\r\n', '\n', '\r'],
    // Otherwise each row of a different length costs an Error, and a file may have millions of line breaks.
    skip_empty_lines: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: rowLengthMax,
  });
  // An error of either side ends the other, and is thrown by the loop.
  pipeline(Readable.from(inSlices(piecesOf(begin, text))), parser, () => undefined);
  const rows = parser as AsyncIterable<{ record: string[]; info: Info }>;
  try {
    for await (const { record, info } of inSlices(rows)) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      yield { cells: record, line: info.lines - breaks };
    }
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableCsv(Number(error['lines'] ?? 1), { cause: error });
    throw error;
  }
}

async function upToFirstLine(text: AsyncGenerator<string>): Promise<string> {
  let begin = '';
  while (!begin.includes('\n') && begin.length < rowLengthMax) {
    const next = await text.next();
    if (next.done) break;
    begin += next.value;
  }
  return begin;
}

/** Small chunks, because the parser reads all rows of a chunk together. */
async function* piecesOf(begin: string, rest: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  yield* piecesOfText(begin);
  for await (const text of rest) yield* piecesOfText(text);
}

function* piecesOfText(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Yields items one by one, letting other requests run in between. */
async function* inSlices<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  let since = performance.now();
  for await (const part of parts) {
    yield part;
    if (performance.now() - since < sliceMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
