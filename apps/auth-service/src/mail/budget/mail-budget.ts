import type { Quota, WindowQuota } from '@tenantry/service/rate-limits';
import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import type { PlannedLetter } from '../letter.ts';
import { allowancesOf, type Allowance } from './allowances.ts';
import { endOf, giveBack, spend } from './mail-budget.repository.ts';

/** An allowance that has no room for another letter. */
export interface UsedUp extends Pick<Allowance, 'counted'> {
  readonly quota: Quota;
}

/**
 * The budget of all letters, spent in the transaction that puts a letter into the outbox: a request that sends nothing spends
 * nothing, unless that would reveal an account. It is counted in PostgreSQL, so that instances count together and counts
 * survive restarts.
 */
export class MailBudget {
  readonly #ground: Pick<Ground, 'config' | 'secrets' | 'now'>;

  constructor(ground: Pick<Ground, 'config' | 'secrets' | 'now'>) {
    this.#ground = ground;
  }

  /**
   * Counts a letter against all its allowances, or against none.
   *
   * @param isProven whether its address is
   * @returns the one that is used up
   */
  async spend(tx: Transaction, letter: PlannedLetter, isProven: boolean): Promise<UsedUp | undefined> {
    const at = this.#ground.now();
    const windows = allowancesOf(letter, { isProven, figures: this.#ground.config }).map((allowance) => ({
      ...allowance,
      key: this.#keyOf(allowance),
    }));
    const counted = await spend(tx, windows, at);
    const used = windows.find(({ key }) => !counted.some((other) => other.equals(key)));
    if (!used) return undefined;
    await giveBack(tx, counted);
    const quota = quotaOf(used, (await endOf(tx, used.key)) ?? at, at);
    return { counted: used.counted, quota: [quota] };
  }

  /** Keyed, so that the table reveals no address. */
  #keyOf({ name, of }: Allowance): Buffer {
    return this.#ground.secrets.current.mac('throttling', `${name}:${of}`);
  }
}

function quotaOf({ name, max, seconds }: Allowance, endsAt: Date, at: Date): WindowQuota {
  const resetSeconds = Math.max(1, Math.ceil((endsAt.getTime() - at.getTime()) / 1_000));
  return { policy: `${name}-${seconds}`, max, seconds, used: max + 1, resetSeconds };
}
