import type { Transaction } from '../database.ts';
import type { AuthEvent } from './event.ts';
import { forgetEvents, insertEvent } from './events.repository.ts';

/**
 * Tells other services what has happened, as soon as the transaction commits: nothing that is rolled back is told,
 * and nothing that is committed is lost.
 *
 * Call it after the change itself. Changes of one row then reach everyone in the order in which they were made.
 */
export async function recordEvent(tx: Transaction, event: AuthEvent): Promise<void> {
  // What is gone leaves no earlier news behind: an erased user's name and address live on in no log.
  if (event.type === 'user.erased') await forgetEvents(tx, { userId: event.userId });
  if (event.type === 'organization.deleted') await forgetEvents(tx, { organization: event.organizationId });
  await insertEvent(tx, event);
}
