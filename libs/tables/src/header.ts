import type { KindOf } from './column-kinds.ts';
import type { TableRow } from './delimited.ts';

/** The row that names the columns, and whether it is only taken for that. */
export interface FoundHeader {
  /** The line in which it begins; 0 if the file has none. */
  readonly line: number;
  readonly isGuess: boolean;
}

/** How far down a header is looked for: titles and notes before it are a few lines. */
export const headerWithinRows = 30;

/** Addresses and numbers are shorter. */
export const valueLengthMax = 400;
/** What looks like an e-mail address. */
export const addressForm = /\S@\S+\.\S/;

/**
 * Finds the row that names the columns among the first of a file: the one with most known names. Titles, notes and the names of
 * tables may precede it.
 */
export function findHeader(rows: readonly TableRow[], kindOf: KindOf<string>): FoundHeader {
  const scored = rows.slice(0, headerWithinRows).map((row) => ({ row, score: scoreOf(row, kindOf) }));
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const found = scored.find(({ score }) => score === best && score > 0);
  if (found) return { line: found.row.line, isGuess: found.score < 2 };
  const [first, ...others] = rows;
  // Names that are not known: no address among them, where the rows below have one.
  const isNamed =
    first !== undefined &&
    !hasValues(first) &&
    others.some(hasValues) &&
    first.cells.filter((cell) => cell.trim() !== '').length > 1;
  return { line: isNamed ? first.line : 0, isGuess: true };
}

/** How many different kinds of columns a row names; none if it has what a person's row has. */
function scoreOf({ cells }: TableRow, kindOf: KindOf<string>): number {
  if (hasValues({ cells })) return 0;
  const named = cells.filter((cell) => cell.length <= 100).map((cell) => kindOf(cell));
  const kinds = new Set(named.flatMap((found) => (found === undefined ? [] : [found.kind])));
  return kinds.size === 1 && cells.length > 3 && named.filter((found) => found).length === 1 ? 1 : kinds.size;
}

const hasValues = ({ cells }: Pick<TableRow, 'cells'>): boolean =>
  cells
    .map((cell) => cell.trim())
    .some(
      (cell) => cell.length <= valueLengthMax && (addressForm.test(cell) || /^\+?[\d\s()-]{7,}$/.test(cell)),
    );
