import pg from 'pg';

/** Whether PostgreSQL refused a statement and the connection is still usable. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && !isStale(error);
}

// cached plan must not change result type; prepared statement does not exist
const staleCodes = ['0A000', '26000'];

/** Whether a prepared statement of the connection is missing or out of date. */
const isStale = ({ code = '' }: pg.DatabaseError) => staleCodes.includes(code);

/** Gives an error of PostgreSQL the stack of the code that waits for the answer: its own leads to the socket. */
export function asThrownHere(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) Error.captureStackTrace(error);
  return error;
}
