import type { Transaction } from '../database.ts';
import type { PlannedLetter } from './letter.ts';
import type { Outbox } from './outbox.ts';
import { OwnersRepository } from './owners.repository.ts';

interface OwnersMail {
  readonly outbox: Outbox;
  /** That of the transaction's scope. */
  readonly organizationId: string;
}

const repository = new OwnersRepository();

/** Writes to the owners of an organization who are not disabled and have a confirmed address, about it. */
export async function mailOwners(
  tx: Transaction,
  { outbox, organizationId }: OwnersMail,
  letterTo: (owner: { readonly to: string; readonly name: string }) => PlannedLetter,
): Promise<void> {
  // Counted apart from what others cause: an owner of several organizations hears of each.
  const cause = { apart: `organization:${organizationId}` };
  for (const { email: to, name } of await repository.reachable(tx)) {
    await outbox.enqueue(tx, { ...letterTo({ to, name }), cause });
  }
}
