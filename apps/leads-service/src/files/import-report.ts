import type { ErrorDetail } from '@tenantry/envelope';

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
