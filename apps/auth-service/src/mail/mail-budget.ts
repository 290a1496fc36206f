import { createHmac } from 'node:crypto';
import { ApiError } from '@tenantry/envelope';
import type { Ground } from '../ground/index.ts';

/** How many e-mails unauthenticated requests can trigger per recipient. */
export interface MailBudget {
  /** @throws RATE_LIMITED, for addresses with and without an account alike. */
  spend(email: string): Promise<void>;
  /** As {@link MailBudget.spend}, where even a refusal would tell something. */
  allows(email: string): Promise<boolean>;
}

/** Makes the budget. Redis learns a keyed hash of the address, not the address. */
export function createMailBudget({ limits, secrets }: Pick<Ground, 'limits' | 'secrets'>): MailBudget {
  async function spend(email: string): Promise<void> {
    const key = createHmac('sha256', secrets.current.key('throttling')).update(`mail:${email}`);
    await limits.mail.consume(key.digest('base64url'));
  }

  return {
    spend,
    async allows(email) {
      try {
        await spend(email);
        return true;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'RATE_LIMITED') return false;
        throw error;
      }
    },
  };
}
