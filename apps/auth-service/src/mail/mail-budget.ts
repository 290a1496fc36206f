import { createHmac } from 'node:crypto';
import { isWithin, type Ground } from '../ground/index.ts';

/** How many e-mails requests can trigger per recipient. */
export interface MailBudget {
  /** @throws RATE_LIMITED, for addresses with and without an account alike. */
  spend(email: string): Promise<void>;
  /** As {@link MailBudget.spend}, for what another user causes: it leaves what the recipient asks for as it is. */
  spendForOther(email: string): Promise<void>;
  /** As {@link MailBudget.spend}, where even a refusal would tell something. */
  allows(email: string): Promise<boolean>;
}

/** Makes the budget. Redis learns a keyed hash of the address, not the address. */
export function createMailBudget({ limits, secrets }: Pick<Ground, 'limits' | 'secrets'>): MailBudget {
  const keyOf = (email: string) =>
    createHmac('sha256', secrets.current.key('throttling')).update(`mail:${email}`).digest('base64url');

  return {
    async spend(email) {
      await limits.mail.consume(keyOf(email));
    },
    async spendForOther(email) {
      await limits.mailOfOthers.consume(keyOf(email));
    },
    allows: (email) => isWithin(limits.mail, keyOf(email)),
  };
}
