import type { LocatedToken } from '@tenantry/service/tokens';
import { statement, type Rows, type Transaction } from '../../database.ts';
import { defineSweepBy } from '../../ground/index.ts';
import type { Statements } from '../../statements.types.ts';
import { made, makerColumns, type Maker } from '../makers.ts';
import type { ServiceAccountRole } from './service-accounts.schemas.ts';

/** A program that acts in an organization, as members see it; times are ISO 8601 text. */
export interface ServiceAccount extends Omit<ListedAccount, 'createdBy' | 'createdByName'> {
  readonly createdBy: Maker;
  /** Those that have ended included, until they are deleted. */
  readonly keys: ApiKey[];
}

/** A key as members see it, without the key itself. */
export interface ApiKey extends Omit<ListedKey, 'scope' | 'createdBy' | 'createdByName'> {
  /** Null for everything that the role may. */
  readonly permissions: string[] | null;
  readonly createdBy: Maker;
}

type ListedAccount = Statements['service-accounts']['row'];
type ListedKey = Statements['api-keys']['row'];

/** An account that is about to be created. */
interface NewServiceAccount {
  readonly id: string;
  readonly name: string;
  readonly role: ServiceAccountRole;
  readonly createdBy: string;
  readonly at: Date;
}

/** A key that is about to be created. */
interface NewApiKey {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly ending: string;
  readonly scope: string;
  readonly createdBy: string;
  readonly at: Date;
  readonly expiresAt: Date;
  /** Its owners need not be told: it ends before they would be. */
  readonly endsSoon: boolean;
}

/** A key that works, and what its tokens say. */
export type KeySubject = Statements['api-key-use']['row'];

/** What a change of an account compares with. */
type FoundAccount = Statements['service-account']['row'];

const accounts = statement({
  name: 'service-accounts',
  times: 'text',
  text: `
    SELECT a.id, a.name, a.role, ${makerColumns('a')}, a.created_at AS "createdAt" FROM service_accounts a
    WHERE a.organization_id = $1 AND ($2::uuid IS NULL OR a.id = $2) ORDER BY a.created_at, a.id`,
});

const keys = statement({
  name: 'api-keys',
  times: 'text',
  text: `
    SELECT k.id, k.account_id AS "accountId", k.name, k.ending, k.scope, ${makerColumns('k')}, k.created_at AS "createdAt",
      k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"
    FROM api_keys k
    WHERE k.organization_id = $1 AND ($2::uuid IS NULL OR k.account_id = $2) ORDER BY k.created_at, k.id`,
});

// Locked before a revocation takes its time, and before its keys, as exchanges do.
const account = statement({
  name: 'service-account',
  text: `
    SELECT a.name, a.role, (
      SELECT count(*)::int FROM api_keys k WHERE k.organization_id = $1 AND k.account_id = a.id) AS "keyCount"
    FROM service_accounts a WHERE a.organization_id = $1 AND a.id = $2 FOR NO KEY UPDATE OF a`,
});

const countAccounts = statement({
  name: 'service-accounts-count',
  text: 'SELECT count(*)::int AS accounts FROM service_accounts WHERE organization_id = $1',
});

// Earlier tokens for the organization may still be refused: those of its keys must be issued later than these.
const insertAccount = statement({
  name: 'service-account-insert',
  text: `
    INSERT INTO service_accounts (organization_id, id, name, role, tokens_from, created_by, created_at, updated_at)
    SELECT $1::uuid, $2::uuid, $3::text, $4::text,
      (SELECT max(issued_before) FROM revocations WHERE organization = $1 AND sub IS NULL), $5::uuid, $6::timestamptz, $6`,
});

const updateAccount = statement({
  name: 'service-account-update',
  text: 'UPDATE service_accounts SET name = $3, role = $4, updated_at = $5 WHERE organization_id = $1 AND id = $2',
});

// The keys go with their accounts.
const removeAccount = statement({
  name: 'service-account-remove',
  text: 'DELETE FROM service_accounts WHERE organization_id = $1 AND id = $2',
});

const insertKey = statement({
  name: 'api-key-insert',
  text: `
    INSERT INTO api_keys
      (organization_id, id, account_id, name, digest, ending, scope, created_by, created_at, expires_at, announced_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

const removeKey = statement({
  name: 'api-key-remove',
  text: 'DELETE FROM api_keys WHERE organization_id = $1 AND account_id = $2 AND id = $3 RETURNING name',
});

// A change waits for the row of the account, so that tokens from before are issued before it. The key is locked too: otherwise an
// exchange that waited for the account would not see that its key was deleted meanwhile. `lastUsedAt` is to the hour: one write an hour,
// and no history of requests.
const useKey = statement({
  name: 'api-key-use',
  text: `
    WITH found AS (
      SELECT k.id AS "keyId", k.scope, k.expires_at AS "expiresAt", a.id AS "accountId", a.name, a.role,
        a.tokens_from AS "tokensFrom", o.name AS "organizationName"
      FROM api_keys k
      JOIN service_accounts a ON a.organization_id = k.organization_id AND a.id = k.account_id
      JOIN organizations o ON o.id = k.organization_id
      WHERE k.organization_id = $1 AND k.id = $2 AND k.digest = $3 AND k.expires_at > $4
      FOR SHARE OF a FOR KEY SHARE OF k),
    used AS (
      UPDATE api_keys SET last_used_at = date_trunc('hour', $4::timestamptz) FROM found
      WHERE organization_id = $1 AND id = "keyId"
        AND (last_used_at IS NULL OR last_used_at < date_trunc('hour', $4::timestamptz)))
    SELECT * FROM found`,
});

/** Deletes keys that ended a month ago. */
export const sweepApiKeys = defineSweepBy('app.sweep_api_keys()');

/** Stores service accounts and their keys; the organization is that of the scope, and locked for every change. */
export class ServiceAccountsRepository {
  /** In order of creation. */
  list(rows: Rows): Promise<ServiceAccount[]> {
    return this.#list(rows, null);
  }

  async get(rows: Rows, id: string): Promise<ServiceAccount | undefined> {
    return (await this.#list(rows, id))[0];
  }

  /** Locks the account: no key of it is exchanged before the transaction ends. */
  async find(tx: Transaction, id: string): Promise<FoundAccount | undefined> {
    return (await tx.query(account, [id]))[0];
  }

  async count(tx: Transaction): Promise<number> {
    return (await tx.query(countAccounts, []))[0]?.accounts ?? 0;
  }

  async insert(tx: Transaction, { id, name, role, createdBy, at }: NewServiceAccount): Promise<void> {
    await tx.query(insertAccount, [id, name, role, createdBy, at]);
  }

  async update(tx: Transaction, { id, name, role, at }: Omit<NewServiceAccount, 'createdBy'>): Promise<void> {
    await tx.query(updateAccount, [id, name, role, at]);
  }

  /** With its keys. */
  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(removeAccount, [id]);
  }

  async insertKey(tx: Transaction, key: NewApiKey): Promise<void> {
    const { id, accountId, name, digest, ending, scope, createdBy, at, expiresAt, endsSoon } = key;
    const announcedAt = endsSoon ? at : null;
    await tx.query(insertKey, [
      ...([id, accountId, name, digest, ending, scope, createdBy] as const),
      ...([at, expiresAt, announcedAt] as const),
    ]);
  }

  /** @returns what it was called */
  async removeKey(
    tx: Transaction,
    { accountId, id }: { readonly accountId: string; readonly id: string },
  ): Promise<string | undefined> {
    return (await tx.query(removeKey, [accountId, id]))[0]?.name;
  }

  /** The account of a key that has not ended; marks the key as used. */
  async use(
    rows: Rows,
    { id, digest, at }: Pick<LocatedToken, 'id' | 'digest'> & { readonly at: Date },
  ): Promise<KeySubject | undefined> {
    return (await rows.query(useKey, [id, digest, at]))[0];
  }

  async #list(rows: Rows, id: string | null): Promise<ServiceAccount[]> {
    const [found, theirKeys] = await Promise.all([rows.query(accounts, [id]), rows.query(keys, [id])]);
    return found.map((one) => ({
      ...made(one),
      keys: theirKeys.filter(({ accountId }) => accountId === one.id).map(keyOf),
    }));
  }
}

/** Everything that the role may: as in the claim `scope`. */
export const everything = '*';

function keyOf({ scope, ...key }: ListedKey): ApiKey {
  return { ...made(key), permissions: scope === everything ? null : scope.split(' ') };
}
