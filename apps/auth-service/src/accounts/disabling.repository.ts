import { models, statement, unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/** An account that is disabled: by an organization, or by the operator where `organizationId` is null. */
export interface Disabling {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly at: Date;
}

/** The state of an account, and who disabled it; null for the operator. */
export type Standing = Statements['disabling-lock-user']['row'];

// The column alias gives the key its usual name.
const lockUser = statement({
  name: 'disabling-lock-user',
  owner: 'user',
  text: `
    SELECT u.disabled_at IS NOT NULL AS disabled, u.disabled_by_organization_id AS "disabledBy"
    FROM users AS u (user_id) WHERE u.user_id = $1 FOR NO KEY UPDATE`,
});

const disableUser = unscopedStatement({
  name: 'disabling-disable',
  text: `
    UPDATE users SET disabled_at = coalesce(disabled_at, $3), disabled_by_organization_id = $2, updated_at = $3
    WHERE id = $1`,
});

/** Disables and enables accounts; the user is that of the scope. */
export class DisablingRepository {
  /** @returns the id of the account */
  async findByEmail(rows: Unscoped, email: string): Promise<string | undefined> {
    return (await models(rows).user.findFirst({ where: { email }, select: { id: true } }))?.id;
  }

  /** Locks the user against other changes; undefined if the user no longer exists. */
  async lock(tx: Transaction): Promise<Standing | undefined> {
    return (await tx.query(lockUser, []))[0];
  }

  async disable(tx: Transaction, { userId, organizationId, at }: Disabling): Promise<void> {
    await tx.query(disableUser, [userId, organizationId, at]);
  }

  async enable(tx: Transaction, { userId: id, at }: Pick<Disabling, 'userId' | 'at'>): Promise<void> {
    const enabled = { disabledAt: null, disabledByOrganizationId: null, updatedAt: at };
    await models(tx).user.updateMany({ where: { id }, data: enabled });
  }
}
