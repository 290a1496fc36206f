import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Accounts } from '../accounts/index.ts';
import { forgetWhereabouts, recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordErasure, recordUserUpdated } from '../events/index.ts';
import type { Background, Ground } from '../ground/index.ts';
import { forgetMail } from '../mail/index.ts';
import {
  forbidden,
  memberNotFound,
  requirePermission,
  type OrganizationsWing,
} from '../organizations/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import { keyReused, nameChanged } from './provisioning.errors.ts';
import { createProvisioningRepository, type Account } from './provisioning.repository.ts';

/** Who asks, and in which organization, as the peer has read it from a verified token. */
export interface Request {
  readonly organizationId: string;
  readonly actorUserId: string;
}

/** An account that an organization creates for somebody. */
export interface NewAccount extends Request {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** The end of `name` that is the family name. */
  readonly familyName?: string | null;
}

/** What the name of an account becomes. */
export interface Renaming extends Request {
  readonly userId: string;
  readonly name: string;
  readonly familyName?: string | null;
  /** Renames only where the name is still this one. */
  readonly expected?: { readonly name: string; readonly familyName: string | null };
}

/** What provisioning is built on. */
export interface ProvisioningDependencies extends Ground {
  readonly signIn: Pick<SignIn, 'passwords' | 'forgetAddress'>;
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'members'>;
  readonly accounts: Pick<Accounts, 'emails'>;
}

/** The accounts of an organization's people, as the directory of users administers them. */
export interface Provisioning {
  /**
   * Creates an account that can sign in, as a member. The same key and request answer the same account again.
   *
   * @throws USER_ALREADY_EXISTS, FORBIDDEN, NOT_FOUND, IDEMPOTENCY_KEY_REUSED
   */
  create(account: NewAccount, idempotencyKey: string): Promise<Account>;
  /**
   * Renames an account that the organization created or that belongs to no other, or one's own.
   *
   * @throws NAME_CHANGED, FORBIDDEN, NOT_FOUND
   */
  rename(renaming: Renaming): Promise<Account>;
  /**
   * Ends the membership; the account too, if the organization created it and it belongs to no other. Repeating it
   * changes nothing.
   */
  remove(userId: string, request: Request): Promise<void>;
  readonly background: Background;
}

/** Makes the use cases of provisioning. */
export function createProvisioning(dependencies: ProvisioningDependencies): Provisioning {
  const { database, secrets, now, newId } = dependencies;
  const { passwords, forgetAddress } = dependencies.signIn;
  const { memberships, members } = dependencies.organizations;
  const { emails } = dependencies.accounts;
  const repository = createProvisioningRepository();

  /** Keyed, because a password is among what is hashed. */
  const digestsOf = (account: NewAccount): Buffer[] =>
    secrets.all.map((secret) =>
      createHmac('sha256', secret.key('idempotency')).update(JSON.stringify(account)).digest(),
    );

  async function replay(key: string, digests: readonly Buffer[]): Promise<Account | undefined> {
    const earlier = await repository.findRequest(database.unscoped, key);
    if (!earlier) return undefined;
    if (!digests.some((digest) => timingSafeEqual(digest, earlier.digest))) throw keyReused();
    const account = await repository.find(database.unscoped, earlier.userId);
    if (!account) throw memberNotFound();
    return account;
  }

  async function requireMayWrite(tx: Transaction, actorUserId: string): Promise<void> {
    requirePermission(await memberships.lockAs(tx, actorUserId), 'users:write');
  }

  /** A name is shown in every organization of a user: none of them changes it for the others. */
  async function requireNoOther(tx: Transaction, userId: string): Promise<void> {
    const { organizationId = '' } = tx.scope;
    const belongsToOthers = await tx.within({ userId }, (inner) =>
      memberships.belongsToOthers(inner, organizationId),
    );
    if (belongsToOthers) {
      throw forbidden('This account is also used elsewhere: only its owner can change the name.');
    }
  }

  /** Ends the whole account, if it belongs to this organization alone. */
  function eraseOwn(tx: Transaction, place: { organizationId: string; userId: string }): Promise<boolean> {
    return tx.within(place, async (inner) => {
      const { organizationId, userId } = place;
      const email = await repository.lockCreatedBy(inner, organizationId);
      if (email === undefined || (await memberships.belongsToOthers(inner, organizationId))) return false;
      await recordRevocation(inner, { kind: 'user', userId, at: now() });
      await forgetMail(inner, email);
      await forgetAddress(inner, email);
      await forgetWhereabouts(inner);
      await repository.delete(inner, userId);
      await recordErasure(inner, userId, [organizationId]);
      return true;
    });
  }

  return {
    async create(newAccount, key) {
      const digests = digestsOf(newAccount);
      const earlier = await replay(key, digests);
      if (earlier) return earlier;

      const { organizationId, actorUserId, email, password, name, familyName = null } = newAccount;
      const user = { id: newId(), email, name };
      const prepared = await passwords.prepare(password, user);
      const place = { organizationId, userId: actorUserId };
      const created = await database.within(place).transaction(async (tx) => {
        await requireMayWrite(tx, actorUserId);
        const digest = digests[0] as Buffer;
        if (!(await repository.claimRequest(tx, { key, digest, userId: user.id }))) return undefined;
        const account = { ...user, createdAt: now() };
        await tx.within({ organizationId, userId: user.id }, async (inner) => {
          await repository.insert(inner, { ...account, familyName, organizationId });
          await passwords.store(inner, user.id, prepared);
          await memberships.begin(inner, { organizationId, userId: user.id, role: 'member' });
          await emails.sendVerification(inner, user);
        });
        const target = { type: 'user', id: user.id };
        await recordAudit(tx, { actorUserId, action: 'user.created', target });
        return account;
      });
      // The same request came twice at once, and the other one was faster.
      return created ?? ((await replay(key, digests)) as Account);
    },

    rename({ userId, name, familyName = null, expected, organizationId, actorUserId }) {
      return database.within({ organizationId, userId: actorUserId }).transaction(async (tx) => {
        if (actorUserId !== userId) await requireMayWrite(tx, actorUserId);
        const account = await repository.findMember(tx, userId);
        if (!account) throw memberNotFound();
        const { createdBy, ...unnamed } = account;
        if (actorUserId !== userId && createdBy !== organizationId) await requireNoOther(tx, userId);
        await tx.within({ userId }, async (inner) => {
          const change = { userId, name, familyName, expected, at: now() };
          if (!(await repository.rename(inner, change))) throw nameChanged();
          await recordUserUpdated(inner);
        });
        const target = { type: 'user', id: userId };
        await recordAudit(tx, { actorUserId, action: 'user.updated', target });
        return { ...unnamed, name };
      });
    },

    async remove(userId, { organizationId, actorUserId }) {
      if (!(await repository.isMember(database.within({ userId }), organizationId))) return;
      const actor = { userId: actorUserId, client: unknownClient };
      await members.remove(actor, { organizationId, userId }, { instead: eraseOwn });
    },

    background: { sweeps: { internalRequests: () => repository.sweep(database.unscoped) } },
  };
}

/** The peer knows who asks, and not from where. */
const unknownClient = { deviceId: null, userAgent: null, ipAddress: null };
