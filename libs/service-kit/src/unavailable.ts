/** What drivers and the operating system say when the other side is away, overloaded or too slow. */
const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // PostgreSQL, appendix A: too many connections, statement time-out, shutting down, starting up
  '53300',
  '57014',
  '57P01',
  '57P02',
  '57P03',
  // Prisma: not reachable, timed out, connection closed, pool exhausted, no connection for a transaction in time
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
]);
const connectionExceptionClass = /^08[0-9A-Z]{3}$/;
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed)/;

interface DriverError {
  readonly code?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

const depthMax = 5;

/** Whether an error means that a part behind the service is away, as opposed to a defect in the service. */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > depthMax) return false;
  const { code, kind, message, cause, errors } = error as DriverError;
  return (
    (typeof code === 'string' && (unavailableCodes.has(code) || connectionExceptionClass.test(code))) ||
    (typeof kind === 'string' && unavailableKinds.has(kind)) ||
    (typeof message === 'string' && unavailableMessages.test(message)) ||
    isUnavailable(cause, depth + 1) ||
    (errors?.some((inner) => isUnavailable(inner, depth + 1)) ?? false)
  );
}
