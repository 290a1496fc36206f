/** Misuse of the tenancy API; every code is a defect of the calling code, never of the client. */
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
  | 'TRANSACTION_OVER';

/** A query that would have left its tenant, stopped before it reached the database. */
export class TenancyError extends Error {
  readonly code: TenancyErrorCode;

  constructor(code: TenancyErrorCode, message: string) {
    super(message);
    this.name = 'TenancyError';
    this.code = code;
  }
}
