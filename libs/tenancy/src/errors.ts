/**
 * Misuse of the tenancy API; every code but three is a defect of the calling code. TRANSACTION_EXPIRED: the time of a
 * transaction was over before its work was done. TRANSACTION_FAILED: one of its statements failed before, which is the
 * cause. CONNECTIONS_BUSY: no connection came free in time.
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
  | 'TRANSACTION_EXPIRED'
  | 'TRANSACTION_FAILED'
  | 'CONNECTIONS_BUSY';

/** A query that would have left its tenant, stopped before it reached the database. */
export class TenancyError extends Error {
  readonly code: TenancyErrorCode;

  constructor(code: TenancyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TenancyError';
    this.code = code;
  }
}
