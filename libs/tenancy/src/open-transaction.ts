import type { PoolClient } from 'pg';
import { rebinding, type Binder } from './binding.ts';
import { TenancyError } from './errors.ts';
import { exchange, type Outcome } from './protocol/exchange.ts';
import type { Answer, Query } from './protocol/query.ts';
import { isRefusal } from './protocol/refusals.ts';
import type { Binding } from './scope.ts';
import type { Timeouts } from './timeouts.ts';

/** Options of {@link OpenTransaction}. */
export interface OpenTransactionOptions {
  readonly client: PoolClient;
  readonly binder: Binder;
  readonly binding: Binding;
  readonly timeouts: Timeouts;
  /** How long PostgreSQL lets it take. */
  readonly limitMs: number;
  /** Whether it only reads, and everything as of one moment. */
  readonly isSnapshot: boolean;
  /** Takes the connection back. */
  readonly giveBack: (isBroken: boolean) => void;
}

/** A statement to be sent, and the caller that awaits its result. */
interface Queued {
  readonly query: Query;
  /** Undefined where it is the same in any scope. */
  readonly binding: Binding | undefined;
  /** Whether a caller sees its failure. */
  readonly isAwaited: boolean;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** The savepoint of a part of a transaction. */
export interface Savepoint {
  readonly name: string;
  readonly queued: Queued;
}

const commit: Query = { name: 'tenancy-commit', text: 'COMMIT' };
const rollback: Query = { name: 'tenancy-rollback', text: 'ROLLBACK' };

/**
 * A transaction on one connection. Statements are kept in order, and all that are queued go to PostgreSQL in one exchange:
 * BEGIN with the first of them, statements whose result is not awaited with the next one that is, or with COMMIT.
 */
export class OpenTransaction {
  readonly #options: OpenTransactionOptions;
  #queue: Queued[] = [];
  #isFlushing = false;
  #sending: Promise<void> = Promise.resolve();
  #hasBegun = false;
  /** The scope that it is bound to at the next statement; undefined if unknown. */
  #bound: Binding | undefined;
  #failure: Error | undefined;
  /** The failure of a statement whose result is not awaited. */
  #unheard: Error | undefined;
  #savepoints = 0;

  constructor(options: OpenTransactionOptions) {
    this.#options = options;
  }

  /** Sends a statement, behind those that are queued. */
  ask(binding: Binding | undefined, query: Query): Promise<Answer> {
    if (this.#failure) return Promise.reject(failed(this.#failure));
    const answer = this.#enqueue(binding, query, true);
    this.#flush();
    return answer;
  }

  /** Queues a statement, to go with the next one that is asked, or with COMMIT. Where it fails, the transaction does. */
  send(binding: Binding, query: Query): Promise<Answer> {
    if (this.#failure) return Promise.reject(failed(this.#failure));
    return this.#enqueue(binding, query, false);
  }

  /** Begins a part, which {@link rollbackTo} undoes. */
  savepoint(): Savepoint {
    const name = `part_${(this.#savepoints += 1)}`;
    this.#enqueue(undefined, { text: `SAVEPOINT ${name}` }, false).catch(() => undefined);
    return { name, queued: this.#queue.at(-1) as Queued };
  }

  /**
   * Ends a part, whose work takes effect with the transaction.
   *
   * @throws {TenancyError} TRANSACTION_FAILED where one of its statements failed
   */
  release({ name }: Savepoint): void {
    if (this.#failure) throw failed(this.#failure);
    this.#enqueue(undefined, { text: `RELEASE SAVEPOINT ${name}` }, false).catch(() => undefined);
  }

  /** Undoes a part. What has failed before it began stays so. */
  async rollbackTo({ name, queued }: Savepoint): Promise<void> {
    const at = this.#queue.indexOf(queued);
    this.#drop(at === -1 ? 0 : at);
    if (at !== -1) return;
    await this.#sending;
    if (this.#isBroken) return;
    const text = `ROLLBACK TO SAVEPOINT ${name}`;
    const undone = this.#enqueue(undefined, { text }, true);
    const released = this.#enqueue(undefined, { text: `RELEASE SAVEPOINT ${name}` }, true);
    this.#flush();
    await Promise.all([undone, released]);
    this.#failure = undefined;
    this.#unheard = undefined;
    this.#bound = undefined;
  }

  /**
   * Commits.
   *
   * @throws the error of a queued statement that failed
   * @throws {TenancyError} TRANSACTION_FAILED where a statement failed before, also if its error was caught
   */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#unheard ?? failed(this.#failure);
    if (!this.#hasBegun && this.#queue.length === 0) return;
    const done = await this.ask(undefined, commit).catch((error: unknown) => {
      throw this.#unheard ?? error;
    });
    this.#hasBegun = false;
    if (done.command !== 'COMMIT') throw failed(new Error('PostgreSQL has rolled the transaction back.'));
  }

  /** Undoes all of it. Queued statements are never sent. */
  async rollback(): Promise<void> {
    this.#drop(0);
    await this.#sending;
    if (!this.#hasBegun || this.#isBroken) return;
    const { client, timeouts } = this.#options;
    const { error } = await exchange(client, [rollback], timeouts);
    if (error) this.#failure = error;
    else this.#hasBegun = false;
  }

  /** Gives its connection back, which is closed where the transaction has not ended on it. */
  giveBack(): void {
    this.#options.giveBack(this.#hasBegun || this.#isBroken);
  }

  get #isBroken(): boolean {
    return this.#failure !== undefined && !isRefusal(this.#failure);
  }

  #enqueue(binding: Binding | undefined, query: Query, isAwaited: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ query, binding, isAwaited, resolve, reject });
    });
  }

  #drop(from: number): void {
    for (const { reject } of this.#queue.splice(from)) {
      reject(new TenancyError('TRANSACTION_OVER', 'The transaction was rolled back before this was sent.'));
    }
  }

  /** Sends what is queued as soon as what asks now has asked for all of it. */
  #flush(): void {
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#sending = this.#sendQueued();
  }

  async #sendQueued(): Promise<void> {
    await Promise.resolve();
    while (this.#queue.some(({ isAwaited }) => isAwaited)) {
      const queued = this.#queue.splice(0);
      const before = this.#prepend(queued);
      const outcome = await exchange(
        this.#options.client,
        before.map(({ query }) => query),
        { answerMs: this.#answerMs(queued.length) },
      );
      this.#settle(before, outcome);
    }
    this.#isFlushing = false;
  }

  /** The timeout of several statements: the sum of theirs, but no longer than the transaction. */
  #answerMs(count: number): number {
    const { limitMs, timeouts } = this.#options;
    const { answerMs, statementMs } = timeouts;
    return Math.max(answerMs, Math.min(answerMs + (count - 1) * statementMs, limitMs));
  }

  /** The prefix of statements: BEGIN before the first one, and a binding wherever the scope changes. */
  #prepend(queued: readonly Queued[]): { readonly query: Query; readonly queued?: Queued }[] {
    const { client, binder, binding } = this.#options;
    const all: { readonly query: Query; readonly queued?: Queued }[] = [];
    if (!this.#hasBegun) {
      all.push(...binder.beginning(client, binding, this.#options).map((query) => ({ query })));
      this.#hasBegun = true;
      this.#bound = binding;
    }
    for (const each of queued) {
      if (each.binding && !isSame(each.binding, this.#bound)) {
        all.push({ query: rebinding(each.binding) });
        this.#bound = each.binding;
      }
      all.push({ query: each.query, queued: each });
    }
    return all;
  }

  #settle(sent: readonly { readonly queued?: Queued }[], { answers, error }: Outcome): void {
    const culprit = sent[answers.length]?.queued;
    const isAll = !culprit || !isRefusal(error);
    for (const [i, { queued }] of sent.entries()) {
      const answer = answers[i];
      if (answer?.unreadable) queued?.reject(answer.unreadable);
      else if (answer) queued?.resolve(answer);
      else if (error) queued?.reject(isAll || queued === culprit ? error : failed(error));
    }
    if (!error) return;
    this.#failure = error;
    if (culprit?.isAwaited === false) this.#unheard = error;
    for (const { reject } of this.#queue.splice(0)) reject(failed(error));
  }
}

function isSame(one: Binding, other: Binding | undefined): boolean {
  return one[0] === other?.[0] && one[1] === other[1];
}

function failed(cause: Error): TenancyError {
  return new TenancyError(
    'TRANSACTION_FAILED',
    'A statement of the transaction has failed, so nothing of it takes effect.',
    { cause },
  );
}
