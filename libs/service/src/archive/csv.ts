import { setImmediate } from 'node:timers/promises';
import { safeCell } from '@tenantry/text';
import { stringify } from 'csv-stringify/sync';

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
