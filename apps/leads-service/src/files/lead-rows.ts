import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import { isVisible, type Check } from '@tenantry/service/validation';
import type { NewLead } from '../leads/lead.ts';
import { leadTexts, requiredTexts } from '../leads/lead-texts.ts';
import { cellText, type CsvRow } from './csv.ts';
import { exportedColumns } from './lead-export.ts';

/** A row of a file: a lead, or its problems. */
export type ReadRow = { readonly lead: NewLead } | { readonly problems: readonly ErrorDetail[] };

/** Reads the rows below a header. */
export type ReadLeadRow = (row: CsvRow) => ReadRow;

const knownColumns: readonly string[] = exportedColumns;

/**
 * Parses the header of a file. Other columns of an export are allowed and ignored, so that an export can be imported: imported
 * leads are new ones.
 *
 * @throws VALIDATION_ERROR with every column that is unknown, missing or duplicate.
 */
export function leadRowsBelow({ cells }: CsvRow, check: Check): ReadLeadRow {
  const columns = cells.map(columnOf);
  requireColumns(columns);
  const positions = leadTexts.map((column) => ({ column, at: columns.indexOf(column) }));
  return (row) => {
    if (row.cells.length !== columns.length) return { problems: [wrongLength(row, columns.length)] };
    const lead: Partial<Record<string, string>> = {};
    for (const { column, at } of positions) {
      const text = cellText(row.cells[at] ?? '').trim();
      if (isVisible(text)) lead[column] = text;
    }
    const problems = check(lead);
    return problems.length > 0 ? { problems } : { lead: lead as unknown as NewLead };
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

const wrongLength = ({ cells }: CsvRow, expected: number): ErrorDetail => ({
  field: 'row',
  rule: 'columns',
  params: { limit: expected },
  message: `has ${cells.length} fields, and the first line ${expected}`,
});
