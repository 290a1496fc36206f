import { recordOwnAudit } from '../../audit/index.ts';
import type { Transaction } from '../../database.ts';
import type { Client } from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import type { PasskeyAnswers } from '../methods/passkeys/passkey-answers.ts';
import type { Verdict } from './judging.ts';
import type { Account } from './second-factor.ts';

/** A change of a second factor of which the user and the audit trail are told. */
type TwoFactorChange = 'enabled' | 'disabled' | 'backup-codes-renewed' | 'backup-code-used';

/** Whom it concerns, and from which client. */
export interface Occasion {
  readonly account: Account;
  readonly client: Client;
  /** The organization that the session is confined to, or will be; absent or null for one of the user's own. */
  readonly confinedTo?: string | null;
}

interface NoticesDependencies {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly answers: Pick<PasskeyAnswers, 'reportCopy'>;
}

/** Audit entries and letters, in the transaction of what they report. */
export class Notices {
  readonly #dependencies: NoticesDependencies;

  constructor(dependencies: NoticesDependencies) {
    this.#dependencies = dependencies;
  }

  async changed(tx: Transaction, occasion: Occasion, change: TwoFactorChange): Promise<void> {
    const { mail } = this.#dependencies;
    const { account, client, confinedTo } = occasion;
    await recordOwnAudit(tx, { action: `two-factor.${change}`, client, confinedTo });
    await mail.outbox.notify(tx, account, 'two-factor-changed', { change });
  }

  /** The consequences of a verdict besides the response. */
  async judged(tx: Transaction, occasion: Occasion, verdict: Verdict): Promise<void> {
    const { answers } = this.#dependencies;
    if (verdict.accepted && verdict.factor === 'backup') await this.changed(tx, occasion, 'backup-code-used');
    if (!verdict.accepted && verdict.copy) await answers.reportCopy(tx, verdict.copy, occasion);
    if (!verdict.accepted && verdict.locksUntil) await this.#locked(tx, occasion, verdict.locksUntil);
  }

  async #locked(tx: Transaction, occasion: Occasion, until: Date): Promise<void> {
    const { mail } = this.#dependencies;
    const { account, client, confinedTo } = occasion;
    await recordOwnAudit(tx, { action: 'two-factor.locked', client, confinedTo });
    await mail.outbox.notify(tx, account, 'second-factor-locked', { lockedUntil: until.toISOString() });
  }
}
