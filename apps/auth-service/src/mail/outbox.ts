import { rateLimited } from '@tenantry/service/rate-limits';
import type { Transaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { Addressee, AddresseesRepository } from './addressees.repository.ts';
import type { MailBudget, UsedUp } from './budget/mail-budget.ts';
import {
  sealLetter,
  withoutUserText,
  type Letter,
  type NoticeName,
  type PlannedLetter,
  type TemplateData,
} from './letter.ts';
import { OutboxRepository } from './outbox.repository.ts';

interface OutboxDependencies extends Pick<Ground, 'secrets' | 'newId'> {
  readonly budget: Pick<MailBudget, 'spend'>;
  readonly addressees: Pick<AddresseesRepository, 'findReader' | 'isProven'>;
}

/** Letters that wait to be sent. They carry tokens, so they are encrypted at rest. */
export class Outbox {
  readonly #dependencies: OutboxDependencies;
  readonly #repository = new OutboxRepository();

  constructor(dependencies: OutboxDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Enqueues a letter in the transaction that it reports: it is sent soon after the commit, never without one, and no request
   * waits for a mail server.
   *
   * @returns false if the budget is used up: the letter is not written, which must not be revealed to strangers.
   */
  async enqueue(tx: Transaction, letter: PlannedLetter): Promise<boolean> {
    return (await this.#enqueue(tx, letter)) === undefined;
  }

  /** As {@link Outbox.enqueue}, to the holder of an account, about it. */
  notify<Notice extends NoticeName>(
    tx: Transaction,
    { email: to, name }: Pick<Addressee, 'email' | 'name'>,
    template: Notice,
    details: Omit<TemplateData[Notice], 'name'>,
  ): Promise<boolean> {
    return this.enqueue(tx, { to, template, data: { name, ...details } } as PlannedLetter);
  }

  /** As {@link Outbox.enqueue}, for a sender who may know. @throws RATE_LIMITED */
  async enqueueOrRefuse(tx: Transaction, letter: PlannedLetter): Promise<void> {
    const usedUp = await this.#enqueue(tx, letter);
    if (usedUp) throw rateLimited(usedUp, usedUp.quota);
  }

  /** Counts a letter that is not written, so that the count does not reveal that. */
  async count(tx: Transaction, letter: PlannedLetter): Promise<void> {
    const { budget, addressees } = this.#dependencies;
    await budget.spend(tx, letter, await addressees.isProven(tx, letter.to));
  }

  /** @returns the allowance that is used up */
  async #enqueue(tx: Transaction, planned: PlannedLetter): Promise<UsedUp | undefined> {
    const { budget, addressees, secrets, newId } = this.#dependencies;
    const isProven = await addressees.isProven(tx, planned.to);
    const usedUp = await budget.spend(tx, planned, isProven);
    if (usedUp) return usedUp;
    const letter = await this.#write(tx, planned, isProven);
    const { id = newId() } = planned;
    const secret = secrets.current;
    await this.#repository.insert(tx, {
      id,
      recipient: letter.to,
      template: letter.template,
      payload: sealLetter(letter, id, secret),
      secretId: secret.id,
    });
    return undefined;
  }

  async #write(tx: Transaction, planned: PlannedLetter, isProven: boolean): Promise<Letter> {
    const { addressees } = this.#dependencies;
    const { to, template, data, inLanguageOf: id } = planned;
    const reader = await addressees.findReader(tx, id === undefined ? { email: to } : { id });
    const written: unknown = typeof data === 'function' ? await data() : data;
    const letter = { to, reader, template, data: written } as Letter;
    return isProven ? letter : withoutUserText(letter);
  }
}
