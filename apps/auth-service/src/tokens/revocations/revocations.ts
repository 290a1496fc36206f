import type { Transaction } from '../../database.ts';
import { newsOf, type Revocation } from './revocation.ts';
import { insertMemberRevocations, insertRevocation } from './revocations.repository.ts';

/**
 * Tells every verifying service that tokens count no more, as soon as the transaction commits.
 *
 * Call it after the change that causes it and with nothing slow in between: the clock of the news is the one of
 * this call (`at`, by default now).
 */
export async function recordRevocation(tx: Transaction, revocation: Revocation): Promise<void> {
  await insertRevocation(tx, revocation, newsOf(revocation));
}

/** As {@link recordRevocation}, for every member of the organization of the scope. */
export async function recordMemberRevocations(tx: Transaction, { at }: { readonly at: Date }): Promise<void> {
  await insertMemberRevocations(tx, newsOf({ kind: 'member', at }));
}
