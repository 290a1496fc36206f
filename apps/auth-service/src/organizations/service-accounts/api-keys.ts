import { apiKeysMax, permissions as permissionTable, type Permission } from '@tenantry/contracts';
import { invalidKey } from '@tenantry/service/failures';
import { recordAudit } from '../../audit/index.ts';
import { countChange, type Ground, type MemberContext, type SignedIn } from '../../ground/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { onceValid, recordKeyRevocations, type ServiceToken, type Tokens } from '../../tokens/index.ts';
import { requirePermission } from '../members/member-rules.ts';
import { announcedDays } from './key-expiries.repository.ts';
import {
  apiKeyNotFound,
  expiryOutOfRange,
  permissionAboveRole,
  serviceAccountNotFound,
  tooManyKeys,
  tooManyPermissions,
} from './service-accounts.errors.ts';
import { everything, ServiceAccountsRepository, type ApiKey } from './service-accounts.repository.ts';
import { apiKeys, type ServiceAccountRole } from './service-accounts.schemas.ts';

interface ApiKeysDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly tokens: Pick<Tokens, 'accessTokens'>;
}

/** A key that is asked for. */
interface WantedKey {
  readonly accountId: string;
  readonly name: string;
  /** ISO 8601 text. */
  readonly expiresAt: string;
  /** Omitted: everything that the role of the account may. */
  readonly permissions?: string[] | undefined;
}

/** A key that was just made. */
export interface CreatedKey {
  /** Shown once. */
  readonly key: string;
  readonly apiKey: ApiKey;
}

const dayMs = 24 * 60 * 60 * 1_000;
const lifetimeDaysMax = 366;
/** With these, a token stays under 1.5 KiB. */
const scopeCharactersMax = 300;
const endingCharacters = 4;

/** The keys of service accounts: made in a session, exchanged for access tokens. */
export class ApiKeys {
  readonly #dependencies: ApiKeysDependencies;
  readonly #repository = new ServiceAccountsRepository();

  constructor(dependencies: ApiKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws VALIDATION_ERROR; FORBIDDEN; NOT_FOUND; QUOTA_EXCEEDED; RATE_LIMITED */
  async create(context: MemberContext<SignedIn>, wanted: WantedKey): Promise<CreatedKey> {
    const { limits, newId, now, sessions } = this.#dependencies;
    const { organizationId, actor } = context;
    const { accountId, name } = wanted;
    const at = now();
    const expiresAt = expiryOf(wanted, at);
    const scope = scopeOf(wanted);
    const id = newId();
    const { token: key, digest } = apiKeys.make({ ownerId: organizationId, id });
    const ending = key.slice(-endingCharacters);
    const endsSoon = expiresAt.getTime() - at.getTime() < announcedDays * dayMs;
    const charge = { limiter: limits.organizationChanges, key: organizationId };
    await countChange(charge, async () => {
      await sessions.callers.inOrganization(context, async (tx, ownRole) => {
        requirePermission(ownRole, 'service-accounts:write');
        const account = await this.#repository.find(tx, accountId);
        if (!account) throw serviceAccountNotFound();
        requireWithin(account.role, wanted.permissions);
        if (account.keyCount >= apiKeysMax) throw tooManyKeys();
        const row = { id, accountId, name, digest, ending, scope, at, expiresAt, endsSoon };
        await this.#repository.insertKey(tx, { ...row, createdBy: actor.userId });
        const target = { type: 'api-key', id, name };
        const { permissions } = wanted;
        const details = { account: account.name, expiresAt: expiresAt.toISOString(), permissions };
        await recordAudit(tx, context, { action: 'api-key.created', target, details });
      });
      return { hasChanged: true };
    });
    const apiKey = {
      ...{ id, accountId, name, ending, permissions: wanted.permissions ?? null },
      createdBy: { userId: actor.userId, name: actor.name },
      ...{ createdAt: at.toISOString(), expiresAt: expiresAt.toISOString(), lastUsedAt: null },
    };
    return { key, apiKey };
  }

  /** Deletes a key, whose tokens end. @throws FORBIDDEN; NOT_FOUND */
  async remove(
    context: MemberContext,
    { accountId, id }: { readonly accountId: string; readonly id: string },
  ): Promise<void> {
    const { now, sessions } = this.#dependencies;
    await sessions.callers.inOrganization(context, async (tx, ownRole) => {
      requirePermission(ownRole, 'service-accounts:write');
      const account = await this.#repository.find(tx, accountId);
      if (!account) throw serviceAccountNotFound();
      const name = await this.#repository.removeKey(tx, { accountId, id });
      if (name === undefined) throw apiKeyNotFound();
      const { organizationId } = context;
      await recordKeyRevocations(tx, { organizationId, accountId, keyIds: [id], at: now() });
      const target = { type: 'api-key', id, name };
      const details = { account: account.name };
      await recordAudit(tx, context, { action: 'api-key.deleted', target, details });
    });
  }

  /** An access token for whoever has a key. @throws INVALID_KEY; RATE_LIMITED */
  async exchange(key: string): Promise<ServiceToken> {
    const { database, limits, now, tokens } = this.#dependencies;
    const shown = apiKeys.read(key);
    if (!shown) throw invalidKey();
    const { ownerId: organizationId, id, digest } = shown;
    const rows = database.within({ organizationId });
    const read = async () => {
      const asOf = now();
      const used = await this.#repository.use(rows, { id, digest, at: asOf });
      return used && { ...used, organizationId, asOf };
    };
    const subject = await read();
    if (!subject) throw invalidKey();
    // Not before: nobody else fills it, not even with the id of the key.
    await limits.serviceTokens.consume(id);
    return tokens.accessTokens.issueToService(await onceValid(subject, read));
  }
}

/** @throws VALIDATION_ERROR */
function expiryOf({ expiresAt }: WantedKey, at: Date): Date {
  const end = new Date(expiresAt);
  const aheadMs = end.getTime() - at.getTime();
  if (!(aheadMs > 0 && aheadMs <= lifetimeDaysMax * dayMs)) throw expiryOutOfRange(lifetimeDaysMax);
  return end;
}

/** @throws VALIDATION_ERROR */
function scopeOf({ permissions }: WantedKey): string {
  if (permissions === undefined) return everything;
  const scope = permissions.join(' ');
  if (scope.length > scopeCharactersMax) throw tooManyPermissions(scopeCharactersMax);
  return scope;
}

/**
 * Permissions that this installation knows must be those of the role. Others belong to services of other teams, whose verifiers
 * judge them by tables of their own.
 *
 * @throws VALIDATION_ERROR
 */
function requireWithin(role: ServiceAccountRole, wanted: readonly string[] = []): void {
  for (const [n, name] of wanted.entries()) {
    const permission = name as Permission;
    if (permissionTable.owner.includes(permission) && !permissionTable[role].includes(permission)) {
      throw permissionAboveRole(`permissions[${n}]`);
    }
  }
}
