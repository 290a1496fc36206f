import type { AccountAnswer } from '@tenantry/contracts';
import { isUniqueViolation } from '@tenantry/service/failures';
import type { Static } from 'typebox';
import { userAlreadyExists } from '../accounts/index.ts';
import {
  models,
  statement,
  unscopedStatement,
  type Rows,
  type Transaction,
  type Unscoped,
} from '../database.ts';
import { defineSweep } from '../ground/index.ts';
import type { Statements } from '../statements.types.ts';

/** A user as peers see one. */
export type Account = Static<typeof AccountAnswer>['user'];

/** The account of a member, and the member's role. */
type MemberAccount = Statements['account-of-member']['row'];

/** Another name for an account. */
interface NameChange {
  readonly userId: string;
  readonly name: string;
  readonly familyName: string | null;
  readonly expected?: { readonly name: string; readonly familyName: string | null } | undefined;
  readonly at: Date;
}

/** A request that was carried out. */
type CarriedOut = Statements['internal-request']['row'];

const memberAccount = statement({
  name: 'account-of-member',
  times: 'text',
  text: `
    SELECT u.id, u.email, u.name, u.family_name AS "familyName", u.created_at AS "createdAt", m.role
    FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
});

// The column alias gives the key its usual name.
const lockUser = statement({
  name: 'account-lock',
  owner: 'user',
  text: `
    SELECT u.email, u.created_by_organization_id AS "createdBy"
    FROM users AS u (user_id) WHERE u.user_id = $1 FOR UPDATE`,
});

const requestByKey = unscopedStatement({
  name: 'internal-request',
  text: 'SELECT digest, user_id AS "userId" FROM internal_requests WHERE key = $1',
});
const claimRequest = unscopedStatement({
  name: 'internal-request-claim',
  text: `
    INSERT INTO internal_requests (key, digest, user_id) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO NOTHING RETURNING key`,
});
export const sweepInternalRequests = defineSweep({
  table: 'internal_requests',
  over: `created_at < statement_timestamp() - INTERVAL '24 hours'`,
  by: 'created_at',
});

const renameAccount = unscopedStatement({
  name: 'account-rename',
  text: `
    UPDATE users SET name = $2, family_name = $3, updated_at = $4
    WHERE id = $1 AND ($5::text IS NULL OR (name = $5 AND family_name IS NOT DISTINCT FROM $6))
    RETURNING id`,
});

/** Stores accounts, and requests about them. */
export class ProvisioningRepository {
  async findRequest(rows: Unscoped, key: string): Promise<CarriedOut | undefined> {
    return (await rows.query(requestByKey, [key]))[0];
  }

  /** Waits for another transaction with the same key. @returns whether this transaction is to execute the request */
  async claimRequest(
    tx: Transaction,
    { key, digest, userId }: CarriedOut & { readonly key: string },
  ): Promise<boolean> {
    return (await tx.query(claimRequest, [key, digest, userId])).length > 0;
  }

  /** A member of the scope's organization. */
  async findMember(rows: Rows, userId: string): Promise<MemberAccount | undefined> {
    return (await rows.query(memberAccount, [userId]))[0];
  }

  /** @throws USER_ALREADY_EXISTS */
  async insert(
    tx: Transaction,
    {
      organizationId: createdByOrganizationId,
      ...account
    }: Account & { familyName: string | null; organizationId: string },
  ): Promise<void> {
    try {
      await models(tx).user.create({
        data: { ...account, updatedAt: account.createdAt, createdByOrganizationId },
      });
    } catch (error) {
      throw isUniqueViolation(error) ? userAlreadyExists() : error;
    }
  }

  /** @returns whether the name was the expected one, where one is expected */
  async rename(tx: Transaction, { userId, name, familyName, expected, at }: NameChange): Promise<boolean> {
    const before = [expected?.name ?? null, expected?.familyName ?? null] as const;
    return (await tx.query(renameAccount, [userId, name, familyName, at, ...before])).length > 0;
  }

  /** Locks the user of the scope. @returns the address, if the organization created the account */
  async lockCreatedBy(tx: Transaction, organizationId: string): Promise<string | undefined> {
    const [user] = await tx.query(lockUser, []);
    return user?.createdBy === organizationId ? user.email : undefined;
  }
}
