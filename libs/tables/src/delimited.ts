import { pipeline, Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { inSlices } from './slices.ts';
import { notATable } from './tables.errors.ts';

/** A row of a table: its cells, and the line or the row of the sheet that it begins in, from 1. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly line: number;
}

/** What separates cells, by name. */
export const separators = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;
export type Separator = keyof typeof separators;
export const separatorNames = Object.keys(separators) as readonly Separator[];

/** The separator of a text, and how sure that is. */
export interface FoundSeparator {
  readonly separator: Separator;
  /** Whether the file says so in a line of its own, which is no row. */
  readonly isNamed: boolean;
  readonly isGuess: boolean;
}

/** The line by which a file tells Excel its separator. */
const namedSeparator = /^\ufeff?"?sep=(.)"?[;,\t|]*(?:\r\n|\r|\n|$)/i;

/** Finds what separates the cells: that with which most rows have equally many. */
export function findSeparator(sample: string): FoundSeparator {
  const named = separatorNames.find((name) => separators[name] === namedSeparator.exec(sample)?.[1]);
  if (named) return { separator: named, isNamed: true, isGuess: false };
  const [best, next] = separatorNames
    .map((separator) => ({ separator, regularity: regularityOf(sample, separators[separator]) }))
    .toSorted((one, other) => other.regularity - one.regularity);
  const separator = best && best.regularity > 0 ? best.separator : 'comma';
  const isGuess = best !== undefined && next !== undefined && next.regularity > 0.8 * best.regularity;
  return { separator, isNamed: false, isGuess: isGuess && best.regularity > 0 };
}

/** How regular the rows of a text are with a separator, and in how many cells. */
function regularityOf(sample: string, separator: string): number {
  const counts = cellCounts(sample, separator);
  const rowsOf = new Map<number, number>();
  for (const count of counts) if (count > 1) rowsOf.set(count, (rowsOf.get(count) ?? 0) + 1);
  const [most] = [...rowsOf].toSorted(([, one], [, other]) => other - one);
  return most ? (most[1] / counts.length) * (1 - 1 / (most[0] + 1)) : 0;
}

/** How many cells each row has; quotes count where a cell begins with one. */
function cellCounts(sample: string, separator: string): number[] {
  const counts: number[] = [];
  let [cells, isQuoted, atStart, isEmpty] = [1, false, true, true];
  const end = () => {
    if (!isEmpty) counts.push(cells);
    [cells, atStart, isEmpty] = [1, true, true];
  };
  for (const letter of sample) {
    if (isQuoted) {
      if (letter === '"') isQuoted = false;
    } else if (letter === '"' && (atStart || sample === '')) {
      isQuoted = true;
      isEmpty = false;
      atStart = false;
    } else if (letter === '\n' || letter === '\r') {
      end();
      if (counts.length >= 200) return counts;
    } else if (letter === separator) {
      cells += 1;
      [atStart, isEmpty] = [true, false];
    } else {
      [atStart, isEmpty] = [false, false];
    }
  }
  // The last row of a sample may be cut; it counts if there is no other.
  if (counts.length === 0 || sample.length < sampleCharacters) end();
  return counts;
}

/** How much of a text is looked at to guess. */
export const sampleCharacters = 64 * 1024;

/** Rows of tables are far shorter; an unclosed quote would make the whole file one row. */
const rowLengthMax = 256 * 1024;
export const columnsMax = 1_000;
const pieceCharacters = 1024;

/**
 * Reads the rows of a text as it arrives; what is empty, or has separators alone, is no row.
 *
 * @throws VALIDATION_ERROR
 */
export async function* delimitedRows(
  text: AsyncGenerator<string>,
  { separator, isNamed }: Pick<FoundSeparator, 'separator' | 'isNamed'>,
): AsyncGenerator<TableRow> {
  const parser = parse({
    delimiter: separators[separator],
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: rowLengthMax,
  });
  // An error of either side ends the other, and is thrown by the loop.
  pipeline(Readable.from(inSlices(piecesOf(isNamed ? withoutName(text) : text))), parser, () => undefined);
  const rows = parser as AsyncIterable<{ record: string[]; info: Info }>;
  // The parser counts two lines for a break of two characters within a cell.
  let countedTwice = isNamed ? -1 : 0;
  try {
    for await (const { record, info } of inSlices(rows)) {
      const count = (breaks: RegExp) =>
        record.reduce((sum, cell) => sum + (cell.match(breaks)?.length ?? 0), 0);
      countedTwice += count(/\r\n/g);
      if (!record.some((cell) => cell.trim() !== '')) continue;
      if (record.length > columnsMax && record.slice(columnsMax).some((cell) => cell.trim() !== '')) {
        throw notATable('columns');
      }
      const line = info.lines - countedTwice - count(/\r\n|\r|\n/g);
      yield { cells: record.slice(0, columnsMax), line };
    }
  } catch (error) {
    if (error instanceof CsvError) throw notATable('rowLength', Number(error['lines'] ?? 1));
    throw error;
  }
}

async function* withoutName(text: AsyncGenerator<string>): AsyncGenerator<string> {
  let begin: string | undefined = '';
  for await (const piece of text) {
    if (begin === undefined) {
      yield piece;
      continue;
    }
    begin += piece;
    // A line may end in two characters.
    if (begin.length < 100 && !/\r[^]|\n/.test(begin)) continue;
    yield begin.replace(namedSeparator, '');
    begin = undefined;
  }
}

/** Small chunks, because the parser reads all rows of a chunk together. */
async function* piecesOf(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) {
    for (let at = 0; at < piece.length;) {
      let end = at + pieceCharacters;
      // Half a surrogate pair has no bytes.
      if (/[\ud800-\udbff]/.test(piece[end - 1] ?? '')) end += 1;
      yield Buffer.from(piece.slice(at, end));
      at = end;
    }
  }
}
