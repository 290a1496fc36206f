import { csvLine } from './csv.ts';
import type { BadRow, GoodRow } from './checked-file.ts';
import { leadTexts } from '../lead-texts.ts';

/** Rows that are sent together: each portion is in as a whole or not at all. */
export const portionRows = 2_000;

/** Divides the rows of a file into portions. */
export function portionsOf(rows: readonly GoodRow[]): (readonly GoodRow[])[] {
  const count = Math.ceil(rows.length / portionRows);
  return Array.from({ length: count }, (_, n) => rows.slice(n * portionRows, (n + 1) * portionRows));
}

/** A portion as a file, and the row that begins in each of its lines. */
export function fileOf(rows: readonly GoodRow[]): {
  readonly text: string;
  readonly rowAt: ReadonlyMap<number, GoodRow>;
} {
  const rowAt = new Map<number, GoodRow>();
  let text = csvLine(leadTexts);
  let line = 2;
  for (const row of rows) {
    rowAt.set(line, row);
    const written = csvLine(leadTexts.map((field) => row.lead[field] ?? ''));
    text += written;
    line += written.split('\n').length - 1;
  }
  return { text, rowAt };
}

/** What the report is made of in the reader's language. */
export interface ReportWords {
  readonly line: string;
  readonly column: string;
  readonly reason: string;
  readonly reasonOf: (finding: BadRow['findings'][number]) => string;
  readonly nameOf: (field: string) => string;
}

/** The rows that were refused as a file, with why: once corrected, it is imported like any other. */
export function reportOf(rows: readonly BadRow[], words: ReportWords): string {
  const header = csvLine([...leadTexts, words.line, words.column, words.reason]);
  const lines = rows.map(({ line, lead, findings }) =>
    csvLine([
      ...leadTexts.map((field) => lead[field] ?? ''),
      String(line),
      findings.map(({ field }) => words.nameOf(field)).join(', '),
      findings.map((finding) => words.reasonOf(finding)).join(' '),
    ]),
  );
  return `\ufeff${header}${lines.join('')}`;
}
