import type { Connections } from './connections.ts';
import { readable } from './protocol/query.ts';
import { unbound } from './scope.ts';

const tryLock = {
  name: 'tenancy-lock',
  text: 'SELECT pg_try_advisory_xact_lock(hashtext($1)) AS "isLocked"',
};

/**
 * Runs work under a lock of the database, or not at all. The lock belongs to a transaction, so that it also holds behind a
 * pooler; it takes no snapshot, so that vacuum continues beside it.
 */
export async function exclusively<Result>(
  connections: Connections,
  lock: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const transaction = await connections.begin(unbound, { limitMs: Infinity, use: 'connection' });
  try {
    const { rows } = readable(await transaction.ask(unbound, { ...tryLock, values: [lock] }));
    const [row] = rows as { isLocked: boolean }[];
    return row?.isLocked === true ? await work() : undefined;
  } finally {
    await transaction.rollback();
    transaction.giveBack();
  }
}
