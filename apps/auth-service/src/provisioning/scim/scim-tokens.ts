import { scimTokenPrefix, scimTokensMax } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import { LocatedTokens } from '@tenantry/service/tokens';
import { recordAudit } from '../../audit/index.ts';
import type { ConnectionsWing } from '../../connections/index.ts';
import type { OrganizationTransaction } from '../../database.ts';
import { countChange, type Ground, type MemberContext, type SignedIn } from '../../ground/index.ts';
import { requirePermission } from '../../organizations/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { ScimTokensRepository, type ScimToken } from './scim-tokens.repository.ts';

interface ScimTokensDependencies extends Pick<Ground, 'database' | 'limits' | 'newId' | 'now'> {
  readonly connections: Pick<ConnectionsWing['connections'], 'get' | 'getIn'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** A directory whose token was valid when its request came. */
export interface Directory {
  readonly organizationId: string;
  readonly connectionId: string;
  /** The name of its connection: it acts under this name. */
  readonly name: string;
  readonly tokenId: string;
  readonly digest: Buffer;
}

/** How tokens of directories are written. */
export const scimTokens = new LocatedTokens(scimTokenPrefix);
const endingCharacters = 4;

/** The tokens by which the directories of organizations provision people. They are made by owners, and outlive them as keys do. */
export class ScimTokens {
  readonly #dependencies: ScimTokensDependencies;
  readonly #repository = new ScimTokensRepository();

  constructor(dependencies: ScimTokensDependencies) {
    this.#dependencies = dependencies;
  }

  /** In order of creation. @throws NOT_FOUND */
  async list(organizationId: string, connectionId: string, userId: string): Promise<ScimToken[]> {
    const { connections, database } = this.#dependencies;
    await connections.get(organizationId, connectionId, userId);
    return this.#repository.list(database.within({ organizationId }), connectionId);
  }

  /**
   * Makes a token, which is shown once.
   *
   * @throws NOT_FOUND; FORBIDDEN; QUOTA_EXCEEDED; RATE_LIMITED
   */
  async create(context: MemberContext<SignedIn>, connectionId: string) {
    const { limits, newId, now } = this.#dependencies;
    const { organizationId, actor } = context;
    const id = newId();
    const at = now();
    const { token, digest } = scimTokens.make({ ownerId: organizationId, id });
    const ending = token.slice(-endingCharacters);
    await countChange({ limiter: limits.organizationChanges, key: organizationId }, async () => {
      await this.#owning(context, connectionId, async (tx, name) => {
        const { length } = await this.#repository.list(tx, connectionId);
        if (length >= scimTokensMax) throw tooManyTokens();
        await this.#repository.insert(tx, { id, connectionId, digest, ending, createdBy: actor.userId, at });
        await this.#record(tx, context, { action: 'directory-token.created', connectionId, name });
      });
      return { hasChanged: true };
    });
    const createdBy = { userId: actor.userId, name: actor.name };
    return { token, scimToken: { id, ending, createdBy, createdAt: at.toISOString(), lastUsedAt: null } };
  }

  /** Deletes a token: what it has begun does not finish. @throws NOT_FOUND; FORBIDDEN */
  async remove(
    context: MemberContext<SignedIn>,
    { connectionId, id }: { readonly connectionId: string; readonly id: string },
  ): Promise<void> {
    await this.#owning(context, connectionId, async (tx, name) => {
      if (!(await this.#repository.remove(tx, { connectionId, id }))) throw tokenNotFound();
      await this.#record(tx, context, { action: 'directory-token.deleted', connectionId, name });
    });
  }

  /** The directory whose token somebody shows, at its own address. @throws UNAUTHENTICATED */
  async authenticate(
    shown: string,
    at: { readonly organizationId: string; readonly connectionId: string },
  ): Promise<Directory> {
    const { database, now } = this.#dependencies;
    const read = scimTokens.read(shown);
    const organizationId = at.organizationId.toLowerCase();
    if (read?.ownerId !== organizationId) throw tokenRefused();
    const { id, digest } = read;
    const connectionId = at.connectionId.toLowerCase();
    const rows = database.within({ organizationId });
    const subject = await this.#repository.use(rows, { id, connectionId, digest }, now());
    if (!subject) throw tokenRefused();
    return { organizationId, connectionId, name: subject.connectionName, tokenId: id, digest };
  }

  /** Keeps the token of a directory until a transaction ends. @throws UNAUTHENTICATED where it was deleted meanwhile */
  async hold(tx: OrganizationTransaction, { tokenId: id, connectionId, digest }: Directory): Promise<void> {
    if (!(await this.#repository.hold(tx, { id, connectionId, digest }))) throw tokenRefused();
  }

  #owning(
    context: MemberContext<SignedIn>,
    connectionId: string,
    work: (tx: OrganizationTransaction, name: string) => Promise<void>,
  ): Promise<void> {
    const { connections, sessions } = this.#dependencies;
    return sessions.callers.inOrganization(context, async (tx, role) => {
      requirePermission(role, 'connections:write');
      const { name } = await connections.getIn(tx, connectionId);
      await work(tx, name);
    });
  }

  async #record(
    tx: OrganizationTransaction,
    context: MemberContext,
    {
      action,
      connectionId: id,
      name,
    }: {
      readonly action: 'directory-token.created' | 'directory-token.deleted';
      readonly connectionId: string;
      readonly name: string;
    },
  ): Promise<void> {
    await recordAudit(tx, context, { action, target: { type: 'connection', id, name } });
  }
}

/** One answer for a token that is unknown, deleted, of another connection, or none. RFC 6750, 3. */
export function tokenRefused(): ApiError {
  const message =
    'This needs a token of this directory. It was deleted, belongs to another one, or is missing.';
  const challenge = `Bearer error="invalid_token", error_description="${message}"`;
  return new ApiError('UNAUTHENTICATED', message, { headers: { 'www-authenticate': challenge } });
}

/** The token does not exist, or belongs to another connection. */
export const tokenNotFound = (): ApiError =>
  new ApiError('NOT_FOUND', 'The connection has no token with this id.');

/** @see scimTokensMax */
export const tooManyTokens = (): ApiError =>
  new ApiError(
    'QUOTA_EXCEEDED',
    `The directory has ${scimTokensMax} tokens, and nothing was changed. Delete one first.`,
    { statusCode: 409, reason: 'DIRECTORY_TOKENS' },
  );
