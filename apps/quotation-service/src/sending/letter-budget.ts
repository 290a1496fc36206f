import { hash } from 'node:crypto';
import type { Tenant } from '../database.ts';
import type { CountedLetter, LetterBudgetRepository, LetterLimits } from './letter-budget.repository.ts';

/** Why a letter has to wait, and for how long. */
export interface OverBudget {
  readonly reason: 'RECIPIENT_DAILY_LIMIT' | 'SENDER_DAILY_LIMIT' | 'ORGANIZATION_DAILY_LIMIT';
  readonly seconds: number;
}

const reasons = {
  recipient: 'RECIPIENT_DAILY_LIMIT',
  sender: 'SENDER_DAILY_LIMIT',
  organization: 'ORGANIZATION_DAILY_LIMIT',
} as const satisfies Record<keyof LetterLimits, OverBudget['reason']>;

/** Limits the letters in 24 hours, counted in the database: for all instances, and across restarts. */
export class LetterBudget {
  readonly #repository: LetterBudgetRepository;
  readonly #limits: LetterLimits;

  constructor(repository: LetterBudgetRepository, limits: LetterLimits) {
    this.#repository = repository;
    this.#limits = limits;
  }

  /** Counts a letter before it is sent, or returns why it has to wait. */
  spend(
    tenant: Tenant,
    { recipientEmail, ...sent }: Omit<CountedLetter, 'recipient'> & { readonly recipientEmail: string },
  ): Promise<OverBudget | undefined> {
    const letter = { ...sent, recipient: hash('sha256', mailboxOf(recipientEmail), 'buffer') };
    return tenant.transaction(async (tx) => {
      await this.#repository.lock(tx);
      const left = await this.#repository.secondsLeft(tx, letter, this.#limits);
      for (const [of, reason] of Object.entries(reasons) as [keyof LetterLimits, OverBudget['reason']][]) {
        if (left[of] > 0) return { reason, seconds: left[of] };
      }
      await this.#repository.insert(tx, letter);
      return undefined;
    });
  }

  /** Undoes the count of a letter that was not sent after all. */
  giveBack(tenant: Tenant, id: string): Promise<void> {
    return this.#repository.remove(tenant, id);
  }
}

/** Normalizes an address for counting: lower case, and without a plus suffix. */
function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email
    .normalize('NFC')
    .toLowerCase()
    .split(/@(?=[^@]*$)/);
  return `${local.replace(/(?<=.)\+.*$/, '')}@${domain}`;
}
