import { setImmediate } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';

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
