import { createHmac, timingSafeEqual } from 'node:crypto';
import { addressKey } from '@tenantry/service-kit/addresses';
import type { Accounts } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import type { Background, Ground, OrganizationContext } from '../ground/index.ts';
import { memberNotFound, requirePermission, type OrganizationsWing } from '../organizations/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { keyReused } from './provisioning.errors.ts';
import { createProvisioningRepository, type Account } from './provisioning.repository.ts';
import { createRename, type Rename } from './renaming.ts';

/** An account that an organization creates for somebody. */
export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string;
  /** The end of `name` that is the family name. */
  readonly familyName?: string | null;
}

/** What provisioning is built on. */
export interface ProvisioningDependencies extends Ground {
  readonly signIn: Pick<SignIn, 'passwords'>;
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'members'>;
  readonly accounts: Pick<Accounts, 'emails' | 'erasure'>;
}

/** The accounts of an organization's people, as the directory of users administers them. */
export interface Provisioning {
  /**
   * Creates an account that can sign in, as a member. The same key and request answer the same account again.
   *
   * @throws USER_ALREADY_EXISTS, FORBIDDEN, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED
   */
  create(context: OrganizationContext, account: NewAccount, idempotencyKey: string): Promise<Account>;
  /**
   * Renames an account that the organization created or that belongs to no other, or one's own.
   *
   * @throws NAME_CHANGED, FORBIDDEN, NOT_FOUND, RATE_LIMITED
   */
  readonly rename: Rename;
  /**
   * Ends the membership; the account too, if the organization created it and it belongs to no other. Repeating it
   * changes nothing.
   */
  remove(context: OrganizationContext, userId: string): Promise<void>;
  readonly background: Background;
}

export function createProvisioning(dependencies: ProvisioningDependencies): Provisioning {
  const { database, limits, secrets, now, newId } = dependencies;
  const { passwords } = dependencies.signIn;
  const { memberships, members } = dependencies.organizations;
  const { emails, erasure } = dependencies.accounts;
  const repository = createProvisioningRepository();

  /** Keyed, because a password is among what is hashed. From where it comes may change from one attempt to the next. */
  function digestsOf(account: NewAccount): Buffer[] {
    const text = JSON.stringify(account);
    return secrets.all.map((secret) => createHmac('sha256', secret.key('idempotency')).update(text).digest());
  }

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

  /** Ends the whole account, if it belongs to this organization alone. */
  function eraseOwn(tx: Transaction, place: { organizationId: string; userId: string }): Promise<boolean> {
    return tx.within(place, async (inner) => {
      const { organizationId, userId } = place;
      const email = await repository.lockCreatedBy(inner, organizationId);
      if (email === undefined || (await memberships.belongsToOthers(inner, organizationId))) return false;
      await erasure.eraseLocked(inner, { userId, email, organizationIds: [organizationId], letters: 'all' });
      return true;
    });
  }

  /** Hashes the password, counted by all who ask for it, and creates the account. */
  function provision(
    context: OrganizationContext,
    newAccount: NewAccount,
    claim: KeyClaim,
  ): Promise<Created> {
    const { email, password, name, familyName = null } = newAccount;
    const { organizationId, actor, client } = context;
    const place = { organizationId, userId: actor.userId };
    const user = { id: newId(), email, name };
    const address = client?.ipAddress ? addressKey(client.ipAddress) : undefined;
    return limits.provisioning.run([actor.userId, organizationId, address], async (counted) => {
      const reason = { asking: { ...place, address }, counted };
      const prepared = await passwords.prepare({ password, owner: user, reason });
      return database.within(place).transaction(async (tx) => {
        await requireMayWrite(tx, actor.userId);
        if (!(await repository.claimRequest(tx, { ...claim, userId: user.id }))) return undefined;
        const account = { ...user, createdAt: now() };
        await tx.within({ organizationId, userId: user.id }, async (inner) => {
          await repository.insert(inner, { ...account, familyName, organizationId });
          await passwords.store(inner, user.id, prepared);
          await memberships.begin(inner, { organizationId, userId: user.id, role: 'member' });
          await emails.sendVerification(inner, user, { cause: place });
        });
        await recordAudit(tx, context, { action: 'user.created', target: { type: 'user', id: user.id } });
        return account;
      });
    });
  }

  return {
    rename: createRename({ ...dependencies, repository }),

    async create(context, newAccount, key) {
      const { organizationId, actor } = context;
      const { email, password, name } = newAccount;
      const digests = digestsOf(newAccount);
      const earlier = await replay(key, digests);
      if (earlier) return earlier;

      // What is refused without a hash is counted by no limit.
      passwords.requireAcceptable(password, { email, name });
      const place = { organizationId, userId: actor.userId };
      await database.within(place).transaction((tx) => requireMayWrite(tx, actor.userId));
      const digest = digests[0] as Buffer;
      const created = await provision(context, newAccount, { key, digest });
      // The same request came twice at once, and the other one was faster.
      return created ?? ((await replay(key, digests)) as Account);
    },

    async remove(context, userId) {
      if (!(await repository.isMember(database.within({ userId }), context.organizationId))) return;
      await members.remove(context, userId, { erase: eraseOwn });
    },

    background: { sweeps: { internalRequests: () => repository.sweep(database.unscoped) } },
  };
}

/** The request that a new account is kept under. */
interface KeyClaim {
  readonly key: string;
  readonly digest: Buffer;
}

/** Undefined where the request was carried out already. */
type Created = Account | undefined;
