import { ApiError, invalidField, type ErrorDetail } from '@tenantry/envelope';
import type { ReadRow, RowsToImport } from '@tenantry/service/files';
import { textOf, type Check } from '@tenantry/service/validation';
import { delimitedRows, piecesFrom, type FileBytes, type TableRow } from '@tenantry/tables';
import { cellText, isVisible } from '@tenantry/text';
import type { NewLead } from '../leads/lead.ts';
import { leadTexts, requiredTexts } from '../leads/lead-texts.ts';
import { exportedColumns } from './lead-export.ts';

/** Reads the rows below a header. */
type ReadLeadRow = (row: TableRow) => ReadRow<NewLead>;

/**
 * The rows of a CSV file with the columns of leads, or of an export: UTF-8, separated by semicolons where the first line has one.
 *
 * @throws VALIDATION_ERROR
 */
export async function namedRows(bytes: FileBytes, check: Check): Promise<RowsToImport<NewLead>> {
  const begin = await bytes.read(0, headerBytesMax);
  const separator = begin.toString().split('\n', 1)[0]?.includes(';') === true ? 'semicolon' : 'comma';
  const table = delimitedRows(textOf(piecesFrom(bytes, 0)), { separator, isNamed: false });
  const header = await table.next();
  if (header.done === true) throw emptyFile();
  const read = leadRowsBelow(header.value, check);
  async function* rows(): AsyncGenerator<ReadRow<NewLead>> {
    for await (const row of table) yield read(row);
  }
  return { names: header.value.cells, rows: rows() };
}

/** Not even a header. */
const emptyFile = (): ApiError =>
  invalidField({ field: 'body', rule: 'columns', message: 'must name the columns in its first line' });

const headerBytesMax = 64 * 1024;

const knownColumns: readonly string[] = exportedColumns;

/**
 * Parses the header of a file. Other columns of an export are allowed and ignored, so that an export can be imported: imported
 * leads are new ones.
 *
 * @throws VALIDATION_ERROR with every column that is unknown, missing or duplicate.
 */
function leadRowsBelow({ cells }: TableRow, check: Check): ReadLeadRow {
  const columns = cells.map(columnOf);
  requireColumns(columns);
  const positions = leadTexts.map((column) => ({ column, at: columns.indexOf(column) }));
  return (row) => {
    const found = { ...row, warnings: [] };
    if (row.cells.length !== columns.length)
      return { ...found, problems: [wrongLength(row, columns.length)] };
    const lead: Partial<Record<string, string>> = {};
    for (const { column, at } of positions) {
      const text = cellText(row.cells[at] ?? '').trim();
      if (isVisible(text)) lead[column] = text;
    }
    const problems = check(lead);
    return { ...found, problems, ...(problems.length === 0 && { item: lead as unknown as NewLead }) };
  };
}

/** The column of a header cell, ignoring case. */
function columnOf(cell: string): string {
  const name = cell.trim();
  return knownColumns.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
}

function requireColumns(columns: readonly string[]): void {
  const problem = (field: string, message: string): ErrorDetail => ({ field, rule: 'columns', message });
  const details = [
    ...columns.flatMap((column, n) => {
      if (!knownColumns.includes(column)) return [problem(column.slice(0, 100), 'is not a known column')];
      return columns.indexOf(column) < n ? [problem(column, 'is there twice')] : [];
    }),
    ...requiredTexts.flatMap((column) =>
      columns.includes(column) ? [] : [problem(column, 'is missing in the first line')],
    ),
  ].slice(0, 50);
  if (details.length === 0) return;
  const known = leadTexts.join(', ');
  throw new ApiError('VALIDATION_ERROR', `Name the columns in the first line: ${known}.`, { details });
}

const wrongLength = ({ cells }: TableRow, expected: number): ErrorDetail => ({
  field: 'row',
  rule: 'columns',
  params: { limit: expected },
  message: `has ${cells.length} fields, and the first line ${expected}`,
});
