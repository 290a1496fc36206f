import type { ErrorDetail } from '@tenantry/envelope';
import { byteOrderMark, csvText } from './csv.ts';

/** Why a row was rejected. */
export interface RejectedRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly details: readonly ErrorDetail[];
}

/** The result of an import. */
export interface ImportReport {
  readonly rows: number;
  readonly imported: number;
  readonly rejected: number;
  /** The first thousand rejected rows. */
  readonly errors: readonly RejectedRow[];
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
