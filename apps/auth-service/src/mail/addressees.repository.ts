import type { Transaction, Unscoped } from '../database.ts';

/** An account as what is mailed to it needs it. */
export interface Addressee {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Whether the address is confirmed. */
  readonly verified: boolean;
  readonly createdAt: Date;
  /** Where the user was last active: whose audit trail records what happens to the account alone. */
  readonly organizationId: string | null;
}

/** Whose an address is. It may be asked before anyone is known, so the look-up has no scope. */
export interface AddresseesRepository {
  /** The account of an address, unless it is disabled. */
  findByEmail(pool: Unscoped, email: string): Promise<Addressee | undefined>;
  /** The account, marked as changed: its sign-ins wait for the transaction. Undefined when it is disabled. */
  lockForUpdate(
    tx: Transaction,
    account: { readonly userId: string; readonly at: Date },
  ): Promise<Addressee | undefined>;
  /** Marks the address as confirmed: something mailed there has come back. @returns whether it was not before */
  confirm(tx: Transaction, account: { readonly userId: string; readonly at: Date }): Promise<boolean>;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerifiedAt: Date | null;
  readonly createdAt: Date;
  readonly lastOrganizationId: string | null;
}

const accountByEmail = {
  name: 'account-by-email',
  text: `
    SELECT id, email, name, email_verified_at AS "emailVerifiedAt", created_at AS "createdAt",
      last_organization_id AS "lastOrganizationId"
    FROM users WHERE email = $1 AND disabled_at IS NULL`,
};

/** Addressees in PostgreSQL. */
export function createAddresseesRepository(): AddresseesRepository {
  return {
    async findByEmail(pool, email) {
      const { rows } = (await pool.query({ ...accountByEmail, values: [email] })) as { rows: UserRow[] };
      return rows[0] && addresseeOf(rows[0]);
    },

    async lockForUpdate({ prisma }, { userId, at }) {
      const where = { id: userId, disabledAt: null };
      const [user] = await prisma.user.updateManyAndReturn({ where, data: { updatedAt: at } });
      return user && addresseeOf(user);
    },

    async confirm({ prisma }, { userId, at }) {
      const where = { id: userId, emailVerifiedAt: null };
      const { count } = await prisma.user.updateMany({ where, data: { emailVerifiedAt: at } });
      return count > 0;
    },
  };
}

function addresseeOf({
  id,
  email,
  name,
  emailVerifiedAt,
  createdAt,
  lastOrganizationId,
}: UserRow): Addressee {
  const verified = emailVerifiedAt !== null;
  return { userId: id, email, name, verified, createdAt, organizationId: lastOrganizationId };
}
