import { readFile } from 'node:fs/promises';
import type { Download } from 'playwright-core';

/** A row of a file of leads, by name of column. */
export type FileRow = Readonly<Record<string, string>>;

const mistakes = [
  { reason: 'email must be a valid e-mail address', row: { email: 'nobody' } },
  { reason: 'name is required', row: { name: '' } },
] as const;

const header = ['name', 'email', 'phone', 'source', 'notes'];
const numbered = (n: number): string => String(n).padStart(5, '0');

/** The row of a lead whose name sorts like its number. */
export const leadRow = (n: number): FileRow => ({
  ...{
    name: `Lead ${numbered(n)}`,
    email: `lead-${numbered(n)}@customers.example`,
    phone: `+46 8 ${numbered(n)}`,
  },
  ...{ source: n % 2 === 0 ? 'fair, autumn' : 'web', notes: `Row ${n}` },
});

/** What is wrong in a line of a file. */
export interface Mistake {
  readonly line: number;
  readonly reason: string;
}

/** A file of as many leads, of which some have mistakes: evenly spread, of each kind. */
export function fileWithMistakes(rows: number, bad: number): { text: string; mistakes: readonly Mistake[] } {
  const every = Math.floor(rows / bad);
  const found: Mistake[] = [];
  const lines = Array.from({ length: rows }, (_, index) => {
    const nth = Math.floor(index / every);
    const mistake = index % every === every - 1 && nth < bad ? mistakes[nth % mistakes.length] : undefined;
    if (mistake) found.push({ line: index + 2, reason: mistake.reason });
    return { ...leadRow(index), ...mistake?.row };
  });
  return { text: textOf(lines), mistakes: found };
}

/** Rows as a file. */
export const textOf = (rows: readonly FileRow[], columns: readonly string[] = header): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
    .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`)
    .join('');

/** The rows of a file that was downloaded. */
export async function rowsOf(download: Download): Promise<FileRow[]> {
  const text = await readFile(await download.path(), 'utf8');
  const [columns = [], ...rows] = text
    .replace(/^\ufeff/, '')
    .split('\r\n')
    .filter((line) => line !== '')
    .map((line) =>
      Array.from(`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain = '']) =>
        quoted === undefined ? plain : quoted.replaceAll('""', '"'),
      ),
    );
  return rows.map((cells) => Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? ''])));
}

/** A row of a report, with what was wrong in it put right; what the report says stays in it. */
export const corrected = (row: FileRow): FileRow => ({
  ...row,
  name: row['name'] || `Corrected ${row['Line']}`,
  email: row['email']?.includes('@') ? row['email'] : `corrected-${row['Line']}@customers.example`,
});
