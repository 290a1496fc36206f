import type { Transaction } from '../database.ts';
import type { SecretRing } from '../ground/secrets/auth-secret.ts';
import type { Letter } from './letter.ts';
import { sealLetter } from './letter-encryption.ts';
import { deleteMailTo, insertMail } from './mail.repository.ts';

/**
 * Puts a letter into the outbox, in the transaction of what it tells: it is sent soon after the commit, never
 * without one, and no request waits for a mail server.
 */
export type EnqueueMail = (tx: Transaction, letter: Letter) => Promise<void>;

/** What the outbox needs. */
export interface MailDependencies {
  readonly secrets: SecretRing;
  readonly newId: () => string;
}

/** Makes {@link EnqueueMail}: letters carry tokens, so they rest encrypted. */
export function createEnqueueMail({ secrets, newId }: MailDependencies): EnqueueMail {
  return async (tx, letter) => {
    const id = newId();
    const secret = secrets.current;
    await insertMail(tx, {
      id,
      recipient: letter.to,
      template: letter.template,
      payload: sealLetter(letter, { id, secret }),
      secretId: secret.id,
    });
  };
}

/** Forgets what was written to an address that is nobody's any more. */
export async function forgetMail(tx: Transaction, recipient: string): Promise<void> {
  await deleteMailTo(tx, recipient);
}
