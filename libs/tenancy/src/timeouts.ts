/** How long anything may take, in milliseconds, so that no request hangs on a database that does not answer. */
export interface Timeouts {
  /** Opening a connection, or waiting for a free one. */
  readonly connectMs: number;
  /** One statement, enforced by PostgreSQL. */
  readonly statementMs: number;
  /** One answer, enforced here for a server that is gone without saying so; longer than `statementMs`. */
  readonly answerMs: number;
  /** A transaction that is left open without work. */
  readonly idleInTransactionMs: number;
  /** A whole transaction. */
  readonly transactionMs: number;
}

/** The limits of a service that answers people. */
export const standardTimeouts: Timeouts = {
  connectMs: 3_000,
  statementMs: 5_000,
  answerMs: 6_000,
  idleInTransactionMs: 5_000,
  transactionMs: 8_000,
};
