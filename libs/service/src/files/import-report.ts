import type { ErrorDetail } from '@tenantry/envelope';
import { byteOrderMark, csvText } from '../archive/csv.ts';
import type { ImportCounts } from './imports.repository.ts';
import type { LeftOutRows } from './left-out-rows.ts';

/** Why a row was rejected. */
export interface RejectedRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly details: readonly ErrorDetail[];
}

/** What would become of a row. */
export interface RowVerdict {
  readonly line: number;
  readonly as: 'new' | 'duplicate' | 'refused';
  /** What is there already and the same. */
  readonly duplicateOf: string | null;
  /** The earlier row that is the same. */
  readonly duplicateOfLine: number | null;
  readonly details: readonly ErrorDetail[];
  readonly warnings: readonly string[];
}

/** The result of an import. */
export interface ImportReport extends ImportCounts {
  /** Null where nothing was imported. */
  readonly id: string | null;
  /** The first thousand rejected rows. */
  readonly errors: readonly RejectedRow[];
  /** Rows that are the same as something that is there or an earlier row, where that was asked. */
  readonly duplicates: number;
  /** Rows with something odd. */
  readonly warned: number;
  /** Of a check: the first thousand rows that are fine, and the first thousand others. */
  readonly verdicts: readonly RowVerdict[];
  /** Of a check. */
  readonly leftOut: LeftOutRows | null;
}

/** Writes the report of an import as a file: one line per reason, with line and column of the imported file. */
export const reportText = ({ errors }: Pick<ImportReport, 'errors'>): string =>
  byteOrderMark +
  csvText([
    ['line', 'column', 'reason'],
    ...errors.flatMap(({ line, details }) =>
      details.map(({ field, message }) => [String(line), field, message]),
    ),
  ]);
