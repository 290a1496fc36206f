import { cellText, csvRows, type Separator } from './csv.ts';
import type { Columns } from './columns.ts';
import type { LeadText } from '../lead-texts.ts';
import { findingsIn, tidied, type Finding, type ImportedLead } from './lead-rules.ts';

/** A row that can be imported. */
export interface GoodRow {
  readonly line: number;
  readonly lead: ImportedLead;
}

/** One that cannot, with its cells as they are in the file. */
export interface BadRow extends GoodRow {
  readonly findings: readonly (Finding | Refusal)[];
}

/** What the service says of a field, in place of the rules that are known here. */
export interface Refusal {
  readonly field: string;
  readonly rule: string;
  readonly limit?: number;
}

/** The rows of a file, those that can be imported apart from those that cannot. */
export interface CheckedFile {
  readonly good: readonly GoodRow[];
  readonly bad: readonly BadRow[];
}

export interface FileToCheck {
  readonly text: string;
  readonly separator: Separator;
  readonly columns: Columns;
  /** Whether the first row names the columns. */
  readonly hasHeader: boolean;
}

/** Checks every row by the rules of the service; to be run in slices. */
export function* checkFile({
  text,
  separator,
  columns,
  hasHeader,
}: FileToCheck): Generator<void, CheckedFile> {
  const good: GoodRow[] = [];
  const bad: BadRow[] = [];
  let isFirst = true;
  for (const { cells, line } of csvRows(text.replace(/^\ufeff/, ''), separator)) {
    const isRow = !(isFirst && hasHeader);
    isFirst = false;
    if (!isRow) continue;
    const lead = tidied(leadOf(cells, columns));
    const findings = findingsIn(lead);
    if (findings.length === 0) good.push({ line, lead });
    else bad.push({ line, lead: leadOf(cells, columns), findings });
    yield;
  }
  return { good, bad };
}

function leadOf(cells: readonly string[], columns: Columns): ImportedLead {
  const lead: Partial<Record<LeadText, string>> = {};
  for (const [n, field] of columns.entries()) {
    if (field !== undefined) lead[field] = cellText(cells[n] ?? '');
  }
  return lead;
}
