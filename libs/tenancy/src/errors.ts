/**
 * Misuse of the tenancy API; every code but one is a defect of the calling code. TRANSACTION_EXPIRED is none: the time of
 * a transaction was over before its work was done.
 */
export type TenancyErrorCode =
  | 'SCOPE_REQUIRED'
  | 'SCOPE_INVALID'
  | 'SCOPE_MISMATCH'
  | 'FILTER_UNDEFINED'
  | 'STATEMENT_NAMED_TWICE'
  | 'STATEMENT_UNSCOPED'
  | 'MODEL_UNKNOWN'
  | 'OPERATION_REFUSED'
  | 'TRANSACTION_BYPASSED'
  | 'TRANSACTION_NESTED'
  | 'TRANSACTION_OVER'
  | 'TRANSACTION_EXPIRED';

/** A query that would have left its tenant, stopped before it reached the database. */
export class TenancyError extends Error {
  readonly code: TenancyErrorCode;

  constructor(code: TenancyErrorCode, message: string) {
    super(message);
    this.name = 'TenancyError';
    this.code = code;
  }
}
