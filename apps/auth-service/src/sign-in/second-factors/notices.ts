import { recordAudit } from '../../audit/audit.ts';
import type { Transaction } from '../../database.ts';
import type { EnqueueMail } from '../../mail/mail.ts';
import type { Client } from '../../ground/callers/client.ts';
import type { Verdict } from './judging.ts';
import type { Account } from './second-factor.ts';

/** What a user is told of the own second factor, and the audit trail too. */
export type TwoFactorChange = 'enabled' | 'disabled' | 'backup-codes-renewed' | 'backup-code-used';

/** Whom it concerns, where and from where. */
export interface Occasion {
  readonly account: Account;
  /** Whose trail tells of it. */
  readonly organizationId: string | null;
  readonly client: Client;
}

/** Audit rows and letters, in the transaction of what they tell. */
export interface Notices {
  changed(tx: Transaction, occasion: Occasion, change: TwoFactorChange): Promise<void>;
  /** Of a verdict: what it brings with it beside the answer. */
  judged(tx: Transaction, occasion: Occasion, verdict: Verdict): Promise<void>;
}

/** Makes {@link Notices}. */
export function createNotices(enqueueMail: EnqueueMail): Notices {
  async function changed(tx: Transaction, occasion: Occasion, change: TwoFactorChange): Promise<void> {
    const { account, organizationId, client } = occasion;
    const action = `two-factor.${change}` as const;
    await recordAudit(tx, { organizationId, actorUserId: account.id, action, client });
    const { email: to, name } = account;
    await enqueueMail(tx, { to, template: 'two-factor-changed', data: { name, change } });
  }

  async function locked(tx: Transaction, occasion: Occasion, until: Date): Promise<void> {
    const { account, organizationId, client } = occasion;
    const action = 'two-factor.locked';
    await recordAudit(tx, { organizationId, actorUserId: account.id, action, client });
    const { email: to, name } = account;
    const lockedUntil = until.toISOString();
    await enqueueMail(tx, { to, template: 'second-factor-locked', data: { name, lockedUntil } });
  }

  return {
    changed,
    async judged(tx, occasion, verdict) {
      if (verdict.accepted && verdict.factor === 'backup') await changed(tx, occasion, 'backup-code-used');
      if (!verdict.accepted && verdict.locksUntil) await locked(tx, occasion, verdict.locksUntil);
    },
  };
}
