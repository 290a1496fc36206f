import {
  describedStatements,
  type OrganizationRows as RowsOfOrganization,
  type OrganizationTransaction as TransactionOfOrganization,
  type TenantDatabase,
  type TenantDatabaseOptions,
  type TenantRows,
  type TenantTransaction,
  type UnscopedRows,
} from '@tenantry/tenancy';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement, unscopedStatement } = describedStatements<Statements>('auth-service');

/** The service's database: the rows of users and organizations in a scope, the rest outside of one. */
export type AuthDatabase = TenantDatabase<PrismaClient>;

/** The rows of a scope, in a transaction or outside of one: the first parameter of a repository's methods. */
export type Rows = TenantRows<PrismaClient>;

/** The rows of an organization. */
export type OrganizationRows = RowsOfOrganization<PrismaClient>;

/** Rows of an organization that take effect together. */
export type OrganizationTransaction = TransactionOfOrganization<PrismaClient>;

/** Rows that belong to no tenant, or are looked up before the caller is known: in any scope, or outside of one. */
export type Unscoped = UnscopedRows<PrismaClient>;

/** The unscoped rows, outside of any scope. */
export type UnscopedScope = AuthDatabase['unscoped'];

/** A transaction, across wings. */
export type Transaction = TenantTransaction<PrismaClient>;

/** How the database is opened: its unscoped tables, and why they are unscoped. */
export const tables = {
  models: Prisma,
  unscoped: {
    User: 'found by e-mail address before anyone is signed in',
    Organization: 'the tenant itself, also read by slug, by membership and by invitation',
    DeletedOrganization: 'listed by the operator and by maintenance; changed in its own scope alone',
    SigningKey: 'the keys of the service',
    Revocation: 'read by every verifier; names ids alone',
    Event: 'read by other services',
    FeedHistory: 'says which history of the database the feeds belong to',
    FeedMark: 'names transactions alone',
    Mail: 'sent by a worker, for everyone',
    MailBudget: 'counted for recipients that may have no account; a key is a hash',
    SignInFailures: 'counted before anyone is signed in; an address is a hash',
    KnownDevice: 'read before the user is known; address and device are hashes',
    MailedSignIn: 'waits for a code before the user is known',
    UsedPasskeyChallenge: 'used before the user is known; contains no user',
    SignInFlow: 'sent to a provider and found again before the user is known',
    IdentityKey: 'maps an account at a provider to its user, before the user is known; a key is a hash',
    InternalRequest: 'made by other services',
  },
  prisma: (adapter) => new PrismaClient({ adapter }),
} satisfies Pick<TenantDatabaseOptions<PrismaClient>, 'models' | 'unscoped' | 'prisma'>;
