import { AsyncLocalStorage } from 'node:async_hooks';
import type { Errand } from './errand.ts';

/** The errands that run now, by the pool that they run on. */
const running = new AsyncLocalStorage<ReadonlyMap<object, Errand>>();

/** Runs `work`, and all that it starts, as a part of an errand on a pool. */
export function runErrand<Result>(pool: object, errand: Errand, work: () => Result): Result {
  return running.run(new Map(running.getStore()).set(pool, errand), work);
}

/** The errand on a pool that what runs now is a part of. */
export function errandOn(pool: object): Errand | undefined {
  return running.getStore()?.get(pool);
}

/** The errands of the transactions that are open now, on whatever pools. */
export function errandsInTransaction(): readonly Errand[] {
  const errands = [...(running.getStore()?.values() ?? [])];
  return errands.map(outermost).filter(isOpen);
}

/** Whether an errand is a part of a transaction that has begun and not ended. */
export function isInTransaction(errand: Errand | undefined): boolean {
  return errand !== undefined && isOpen(outermost(errand));
}

/** The errand that a transaction was opened for, which those of other scopes share. */
function outermost(errand: Errand): Errand {
  return errand.outer ? outermost(errand.outer) : errand;
}

const isOpen = ({ transaction }: Errand): boolean => typeof transaction === 'object';
