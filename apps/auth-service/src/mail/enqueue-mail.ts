import { rateLimited } from '@tenantry/service-kit/rate-limits';
import type { Transaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { AddresseesRepository } from './addressees.repository.ts';
import type { MailBudget, UsedUp } from './budget/mail-budget.ts';
import { withoutUserText, type Letter, type PlannedLetter } from './letter.ts';
import { sealLetter } from './letter-encryption.ts';
import type { OutboxRepository } from './outbox.repository.ts';
import { ReadersRepository } from './readers.repository.ts';

/**
 * Puts a letter into the outbox, in the transaction of what it tells: it is sent soon after the commit, never
 * without one, and no request waits for a mail server.
 *
 * @returns false where the budget is used up: the letter is not written, which no answer may tell a stranger.
 */
export type EnqueueMail = (tx: Transaction, letter: PlannedLetter) => Promise<boolean>;

/** As {@link EnqueueMail}, for a sender who may know. @throws RATE_LIMITED */
export type EnqueueMailOrRefuse = (tx: Transaction, letter: PlannedLetter) => Promise<void>;

/** What the outbox needs. */
export interface EnqueueMailDependencies extends Pick<Ground, 'secrets' | 'newId'> {
  readonly outbox: Pick<OutboxRepository, 'insert'>;
  readonly budget: Pick<MailBudget, 'spend'>;
  readonly addressees: Pick<AddresseesRepository, 'isProven'>;
}

const readers = new ReadersRepository();

/** Makes both: letters carry tokens, so they are encrypted at rest. */
export function createEnqueueMail({ secrets, newId, outbox, budget, addressees }: EnqueueMailDependencies): {
  readonly enqueueMail: EnqueueMail;
  readonly enqueueMailOrRefuse: EnqueueMailOrRefuse;
} {
  async function write(tx: Transaction, planned: PlannedLetter): Promise<Letter> {
    const { to, template, data, inLanguageOf } = planned;
    const reader = await (inLanguageOf === undefined
      ? readers.findByEmail(tx, to)
      : readers.find(tx, inLanguageOf));
    const written: unknown = typeof data === 'function' ? await data() : data;
    const letter = { to, reader, template, data: written } as Letter;
    return (await addressees.isProven(tx, to)) ? letter : withoutUserText(letter);
  }

  /** @returns what is used up */
  async function enqueue(tx: Transaction, planned: PlannedLetter): Promise<UsedUp | undefined> {
    const usedUp = await budget.spend(tx, planned);
    if (usedUp) return usedUp;
    const letter = await write(tx, planned);
    const { id = newId() } = planned;
    const secret = secrets.current;
    await outbox.insert(tx, {
      id,
      recipient: letter.to,
      template: letter.template,
      payload: sealLetter(letter, { id, secret }),
      secretId: secret.id,
    });
    return undefined;
  }

  return {
    enqueueMail: async (tx, letter) => (await enqueue(tx, letter)) === undefined,
    async enqueueMailOrRefuse(tx, letter) {
      const usedUp = await enqueue(tx, letter);
      if (usedUp) throw rateLimited(usedUp, usedUp.quota);
    },
  };
}
