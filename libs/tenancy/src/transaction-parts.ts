import { bindWithinTransaction } from './binding.ts';
import { connectionOf, endOf, type Errand } from './errand.ts';
import { bindingOf, type Scope } from './scope.ts';

/** Runs `work` in another scope on the connection of a transaction, whose own scope holds again after it. */
export async function inOtherScope<Result>(
  errand: Errand,
  scope: Scope,
  work: (inner: Errand) => Promise<Result>,
): Promise<Result> {
  const connection = connectionOf(errand);
  const inner: Errand = { scope, binding: bindingOf(scope), transaction: connection, outer: errand };
  await bindWithinTransaction(connection, inner.binding);
  try {
    return await work(inner);
  } finally {
    inner.transaction = 'over';
    // A transaction that is over has given its connection to another one, whose scope this would change. One that has
    // failed runs nothing more, so no scope matters to it; whether it has is known only after the next answer.
    if (endOf(errand) === undefined) {
      await bindWithinTransaction(connection, errand.binding).catch((error: unknown) => {
        if (connection.getTransactionStatus() === 'T') throw error;
      });
    }
  }
}

/** Runs `work` as a part of a transaction: what it did is undone by a throw, and the transaction goes on. */
export async function inSavepoint<Result>(errand: Errand, work: () => Promise<Result>): Promise<Result> {
  const connection = connectionOf(errand);
  await connection.query('SAVEPOINT part');
  try {
    const result = await work();
    await connectionOf(errand).query('RELEASE SAVEPOINT part');
    return result;
  } catch (error) {
    // The error that counts is the one that undid the part.
    if (endOf(errand) === undefined) {
      await connection.query('ROLLBACK TO SAVEPOINT part; RELEASE SAVEPOINT part').catch(() => undefined);
    }
    throw error;
  }
}
