/**
 * What an error of a database means for the request that met it:
 *
 * - `unavailable`: nothing behind the service answers, or it has no room to; an outage.
 * - `too-slow`: a statement or a transaction was cancelled for the time it took; the database is fine.
 * - `contention`: a conflict with other transactions (a deadlock, a serialization failure); nothing was changed.
 * - `not-unique`: a row with the same unique value exists.
 * - `over-quota`: the organization may store no more; `over-small-quota`: until an owner has confirmed an address.
 */
export type DatabaseFault =
  | 'unavailable'
  | 'too-slow'
  | 'contention'
  | 'not-unique'
  | 'over-quota'
  | 'over-small-quota';

/** Codes of the operating system, of PostgreSQL (appendix A), of Prisma and the kinds of its driver adapter, and our own. */
const faults: Readonly<Record<DatabaseFault, readonly string[]>> = {
  unavailable: [
    'ECONNREFUSED',
    'ECONNRESET',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EPIPE',
    'ETIMEDOUT',
    // No room on its disk or in its memory, too many connections; shutting down, crashed, starting up.
    '53000',
    '53100',
    '53200',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    // Not reachable, timed out, connection closed, pool exhausted.
    'P1001',
    'P1002',
    'P1008',
    'P1017',
    'P2024',
    'DatabaseNotReachable',
    'ConnectionClosed',
    'SocketTimeout',
    'TooManyConnections',
    'CONNECTIONS_BUSY',
  ],
  // Statement cancelled, idle in a transaction for too long, transaction timeout; the limit of tenancy.
  'too-slow': ['57014', '25P03', '25P04', 'TRANSACTION_EXPIRED'],
  // Serialization failure, deadlock, lock not available.
  contention: ['40001', '40P01', '55P03', 'P2034', 'TransactionWriteConflict'],
  'not-unique': ['23505', 'P2002', 'UniqueConstraintViolation'],
  // Raised by app.refuse_storage() of tenancy.
  'over-quota': ['TQ001'],
  'over-small-quota': ['TQ002'],
};
const faultByCode: ReadonlyMap<string, DatabaseFault> = new Map(
  Object.entries(faults).flatMap(([fault, codes]) => codes.map((code) => [code, fault as DatabaseFault])),
);
const connectionException = /^08[0-9A-Z]{3}$/;
const unavailableMessage =
  /^(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed)/;

interface DriverError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const depthMax = 5;

/** The fault of the database that an error reports, however deep in its causes; undefined if none. */
export function databaseFault(error: unknown, depth = 0): DatabaseFault | undefined {
  if (typeof error !== 'object' || error === null || depth > depthMax) return undefined;
  const own = ownFault(error);
  if (own) return own;
  const { cause, meta, errors = [] } = error as DriverError;
  for (const inner of [cause, meta?.driverAdapterError, ...errors]) {
    const fault = databaseFault(inner, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

function ownFault({ code, originalCode, kind, message }: DriverError): DatabaseFault | undefined {
  if (code === 'P2028') return transactionFault(String(message));
  for (const name of [code, originalCode, kind]) {
    if (typeof name !== 'string') continue;
    const fault = faultByCode.get(name) ?? (connectionException.test(name) ? 'unavailable' : undefined);
    if (fault) return fault;
  }
  return typeof message === 'string' && unavailableMessage.test(message) ? 'unavailable' : undefined;
}

/** Prisma has one code for every early end of a transaction. */
function transactionFault(message: string): DatabaseFault | undefined {
  if (message.includes('Unable to start a transaction')) return 'unavailable';
  return message.includes('expired transaction') ? 'too-slow' : undefined;
}

/** Whether an error means that a dependency is down, as opposed to a defect or a slow query. */
export function isUnavailable(error: unknown): boolean {
  return databaseFault(error) === 'unavailable';
}

/** Whether an error means that a row with the same unique value exists. */
export function isUniqueViolation(error: unknown): boolean {
  return databaseFault(error) === 'not-unique';
}

/** Whether an error means that the organization has reached its quota. */
export function isOverQuota(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'over-quota' || fault === 'over-small-quota';
}
