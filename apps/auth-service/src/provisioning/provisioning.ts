import type { NewAccount } from '@tenantry/contracts';
import { addressKey } from '@tenantry/service/addresses';
import type { Accounts } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { ConnectionsWing } from '../connections/index.ts';
import type { Transaction } from '../database.ts';
import type { Background, Ground, MemberContext } from '../ground/index.ts';
import {
  memberNotFound,
  requirePermission,
  type OrganizationsWing,
  type Place,
} from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { NormalizedPassword, SignIn } from '../sign-in/index.ts';
import { keyReused } from './provisioning.errors.ts';
import { ProvisioningRepository, sweepInternalRequests, type Account } from './provisioning.repository.ts';
import { Renames } from './renaming.ts';
import { Acts } from './scim/acting.ts';
import { Directories } from './scim/directories.ts';
import { Groups } from './scim/groups.ts';
import { ScimTokens } from './scim/scim-tokens.ts';

/** What provisioning is built on. */
interface ProvisioningDependencies extends Ground {
  readonly signIn: Pick<SignIn, 'passwords'>;
  readonly organizations: Pick<OrganizationsWing, 'domains' | 'memberships' | 'members' | 'places'>;
  readonly accounts: Pick<Accounts, 'disabling' | 'emails' | 'erasure' | 'madeAccounts'>;
  readonly connections: Pick<ConnectionsWing, 'connections'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** A new account whose password the policy accepts. */
interface AcceptedAccount extends NewAccount {
  readonly password: NormalizedPassword;
}

/** The accounts of an organization's people, as the directory of users administers them. */
export class Provisioning {
  readonly #dependencies: ProvisioningDependencies;
  readonly #repository = new ProvisioningRepository();
  readonly renames: Renames;
  readonly scimTokens: ScimTokens;
  readonly directories: Directories;
  readonly groups: Groups;
  readonly background: Background;

  constructor(dependencies: ProvisioningDependencies) {
    this.#dependencies = dependencies;
    this.renames = new Renames({ ...dependencies, repository: this.#repository });
    const { connections } = dependencies.connections;
    this.scimTokens = new ScimTokens({ ...dependencies, connections });
    const acts = new Acts({ ...dependencies, tokens: this.scimTokens });
    this.groups = new Groups({ ...dependencies, acts, connections });
    this.directories = new Directories({ ...dependencies, acts, groups: this.groups });
    const sweep = () => sweepInternalRequests(dependencies.database.unscoped);
    this.background = { sweeps: { internalRequests: sweep } };
  }

  /**
   * Creates an account that can sign in, as a member. The same key and request return the same account again, while it exists.
   *
   * @throws USER_ALREADY_EXISTS, FORBIDDEN, NOT_FOUND, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED, QUOTA_EXCEEDED
   */
  async create(context: MemberContext, newAccount: NewAccount, key: string): Promise<Account> {
    const { signIn, secrets, sessions } = this.#dependencies;
    const { organizationId } = context;
    const { email, password, name } = newAccount;
    const earlier = await this.#replay(organizationId, key, newAccount);
    if (earlier) return earlier;

    // Refusals before hashing count against no limit.
    const accepted = { ...newAccount, password: signIn.passwords.accept(password, { email, name }) };
    await sessions.callers.inOrganization(context, async (_tx, role) =>
      requirePermission(role, 'users:write'),
    );
    const digest = secrets.current.mac('idempotency', JSON.stringify(newAccount));
    const created = await this.#provision(context, accepted, { key, digest });
    // The same request came twice concurrently, and the other one was faster.
    return created ?? ((await this.#replay(organizationId, key, newAccount)) as Account);
  }

  /**
   * Ends the membership; the account too, if the organization created it and it belongs to no other. Repeating it
   * changes nothing.
   */
  async remove(context: MemberContext, userId: string): Promise<void> {
    const { organizations, database } = this.#dependencies;
    const { organizationId } = context;
    if (!(await this.#repository.findMember(database.within({ organizationId }), userId))) return;
    await organizations.members.remove(context, userId, (...given) => this.#eraseOwn(...given));
  }

  /**
   * The account of the same request, if it came before. Its digest is keyed, because it contains a password; the client address
   * is left out, since it may differ between attempts.
   */
  async #replay(organizationId: string, key: string, newAccount: NewAccount): Promise<Account | undefined> {
    const { database, secrets } = this.#dependencies;
    const earlier = await this.#repository.findRequest(database.unscoped, key);
    if (!earlier) return undefined;
    const { digest: known, userId } = earlier;
    if (!secrets.findByMac(known, 'idempotency', JSON.stringify(newAccount))) throw keyReused();
    const member = await this.#repository.findMember(database.within({ organizationId }), userId);
    if (!member) throw memberNotFound();
    return member;
  }

  /** Ends the whole account, if it belongs to this organization alone. */
  #eraseOwn(tx: Transaction, place: Place): Promise<boolean> {
    const { organizations, accounts } = this.#dependencies;
    return tx.within(place, async (inner) => {
      const { organizationId, userId } = place;
      const email = await this.#repository.lockCreatedBy(inner, organizationId);
      if (email === undefined || (await organizations.memberships.belongsToOthers(inner, organizationId)))
        return false;
      await accounts.erasure.eraseLocked(inner, {
        userId,
        email,
        organizationIds: [organizationId],
        letters: 'all',
      });
      return true;
    });
  }

  /** Hashes the password, within the limits of user, organization and address, and creates the account. @returns undefined if the request was executed before */
  #provision(
    context: MemberContext,
    newAccount: AcceptedAccount,
    claim: { readonly key: string; readonly digest: Buffer },
  ): Promise<Account | undefined> {
    const { signIn, organizations, accounts, sessions, limits, now, newId } = this.#dependencies;
    const { email, password, name, familyName = null } = newAccount;
    const { organizationId, actor, client } = context;
    const place = { organizationId, userId: actor.userId };
    const user = { id: newId(), email, name };
    const address = client?.ipAddress ? addressKey(client.ipAddress) : undefined;
    return limits.provisioning.run([actor.userId, organizationId, address], async (counted) => {
      const reason = { asking: { ...place, address }, counted };
      const prepared = await signIn.passwords.prepare(password, reason);
      return sessions.callers.inOrganization(context, async (tx, role) => {
        requirePermission(role, 'users:write');
        if (!(await this.#repository.claimRequest(tx, { ...claim, userId: user.id }))) return undefined;
        const account = { ...user, createdAt: now().toISOString() };
        await tx.within({ organizationId, userId: user.id }, async (inner) => {
          await this.#repository.insert(inner, { ...account, familyName, organizationId });
          await signIn.passwords.store(inner, user.id, { prepared, setOn: null });
          await organizations.memberships.begin(inner, { organizationId, userId: user.id, role: 'member' });
          await organizations.places.requireInOrganization(inner);
          await accounts.emails.sendVerification(inner, user, { cause: place });
        });
        await recordAudit(tx, context, { action: 'user.created', target: { type: 'user', id: user.id } });
        return account;
      });
    });
  }
}
