import {
  describedStatements,
  modelsOf,
  type TenantDatabase,
  type NoScope,
  type Scope,
  type TenantDatabaseOptions,
  type TenantScope,
  type TenantTransaction,
} from '@tenantry/tenancy';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement, unscopedStatement } = describedStatements<Statements>('auth-service');

/** The Prisma models of rows. */
export const models = modelsOf<PrismaClient>();

/** The rows of a scope, which opens no transaction by itself. */
type ScopedRows<S extends Scope> = Omit<TenantScope<S>, 'transaction'>;

/**
 * The service's database: the rows of users and organizations in a scope, the rest outside of one. There are two ways to open a
 * transaction: on behalf of a signed-in user, whose session it keeps alive (`sessions.callers`), and {@link withoutSession}.
 */
export interface AuthDatabase extends Pick<TenantDatabase, 'pool' | 'exclusively' | 'check' | 'close'> {
  within<S extends Scope>(scope: S): ScopedRows<S>;
  readonly unscoped: ScopedRows<NoScope>;
}

/** The unscoped rows, outside of any scope. */
export type UnscopedScope = AuthDatabase['unscoped'];

/**
 * What a repository's methods take: `Rows` of a scope, in a transaction or outside of one; `Unscoped`, which belong to no tenant
 * or are looked up before the caller is known; a `Transaction`, across wings.
 */
export type {
  OrganizationRows,
  OrganizationTransaction,
  TenantRows as Rows,
  TenantTransaction as Transaction,
  UnscopedRows as Unscoped,
  UserTransaction,
} from '@tenantry/tenancy';

/** What a transaction without a live session rests on. */
export type Grounds =
  /** Someone proves who they are, and gets an account or a session. */
  | 'sign-in'
  | 'sign-up'
  /** The letter's token, or the invitation's, is redeemed or requested. */
  | 'mailed token'
  /** The refresh token. */
  | 'refresh'
  /** A session or account is protected: what is refused is recorded, and the session ends. */
  | 'defence'
  | 'operator'
  /** The token of an organization's directory. */
  | 'directory'
  | 'maintenance';

/** Opens a transaction that needs no live session. One of a signed-in user is opened by `sessions.callers`. */
export function withoutSession<S extends Scope, Result>(
  _grounds: Grounds,
  rows: ScopedRows<S>,
  work: (transaction: TenantTransaction<S>) => Promise<Result>,
): Promise<Result> {
  return openTransaction(rows, work);
}

/** For `sessions.callers` and {@link withoutSession} alone. */
export function openTransaction<S extends Scope, Result>(
  rows: ScopedRows<S>,
  work: (transaction: TenantTransaction<S>) => Promise<Result>,
): Promise<Result> {
  return (rows as TenantScope<S>).transaction(work);
}

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
    UsedSamlAssertion: 'used before the user is known; contains no user',
    SignInFlow: 'sent to a provider and found again before the user is known',
    IdentityKey: 'maps an account at a provider to its user, before the user is known; a key is a hash',
    DomainKey: 'maps a domain to the organization that has proven it, before anyone is signed in',
    ConnectionKey: 'says which connection of an organization is on, before anyone is signed in',
    InternalRequest: 'made by other services',
  },
  prisma: (adapter) => new PrismaClient({ adapter }),
} satisfies Pick<TenantDatabaseOptions, 'models' | 'unscoped' | 'prisma'>;
