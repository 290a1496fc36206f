import type { Transaction } from '../../database.ts';
import type { Mail, PlannedLetter } from '../../mail/index.ts';
import { MembersRepository } from './members.repository.ts';

interface OwnersMail extends Pick<Mail, 'outbox'> {
  /** That of the transaction's scope. */
  readonly organizationId: string;
}

const repository = new MembersRepository();

/** Writes to the owners of an organization who are not disabled and have a confirmed address, about it. */
export async function mailOwners(
  tx: Transaction,
  { outbox, organizationId }: OwnersMail,
  letterTo: (owner: { readonly to: string; readonly name: string }) => PlannedLetter,
): Promise<void> {
  // Counted apart from what others cause: an owner of several organizations hears of each.
  const cause = { apart: `organization:${organizationId}` };
  for (const { email: to, name } of await repository.reachableOwners(tx)) {
    await outbox.enqueue(tx, { ...letterTo({ to, name }), cause });
  }
}
