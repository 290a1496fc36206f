import type { Transaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { Letter } from './letter.ts';
import { sealLetter } from './letter-encryption.ts';
import type { OutboxRepository } from './outbox.repository.ts';

/**
 * Puts a letter into the outbox, in the transaction of what it tells: it is sent soon after the commit, never
 * without one, and no request waits for a mail server.
 */
export type EnqueueMail = (tx: Transaction, letter: Letter) => Promise<void>;

/** What the outbox needs. */
export interface EnqueueMailDependencies extends Pick<Ground, 'secrets' | 'newId'> {
  readonly outbox: Pick<OutboxRepository, 'insert'>;
}

/** Makes {@link EnqueueMail}: letters carry tokens, so they are encrypted at rest. */
export function createEnqueueMail({ secrets, newId, outbox }: EnqueueMailDependencies): EnqueueMail {
  return async (tx, letter) => {
    const id = newId();
    const secret = secrets.current;
    await outbox.insert(tx, {
      id,
      recipient: letter.to,
      template: letter.template,
      payload: sealLetter(letter, { id, secret }),
      secretId: secret.id,
    });
  };
}
