import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '@tenantry/envelope';
import { ScimError } from '@tenantry/service/failures';
import type { Accounts } from '../../accounts/index.ts';
import type { ArrivalCode } from '../../connections/index.ts';
import type { OrganizationTransaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import type { OrganizationsWing } from '../../organizations/index.ts';
import { record, type Acting, type Acts, type Provision } from './acting.ts';
import { DirectoryRepository, type Account, type Person } from './directory.repository.ts';
import type { UserFilter, Window } from './filter.ts';
import type { Groups } from './groups.ts';
import { Refused } from './refused.ts';
import type { Directory } from './scim-tokens.ts';
import { addressOf, nameOf, userNameKey, type Said } from './users.ts';

interface DirectoriesDependencies extends Pick<Ground, 'database' | 'newId'> {
  readonly organizations: Pick<OrganizationsWing, 'domains' | 'memberships' | 'places'>;
  readonly accounts: Pick<Accounts, 'disabling' | 'madeAccounts'>;
  readonly acts: Acts;
  readonly groups: Pick<Groups, 'given'>;
}

/** Somebody after a request, and what came of it; null where nothing has changed. */
export interface Provisioned {
  readonly person: Person;
  readonly came: ArrivalCode | null;
}

/** The most people of a directory, those who have left included. */
export const directoryPeopleMax = 50_000;

/**
 * The people whom directories provision (SCIM 2.0). A directory adds members with an address in a domain of its organization, ends
 * memberships and disables accounts that are of the organization alone. It makes no owner, reaches none who has not linked its
 * connection, and never changes the name or address of an account. What it says of somebody is kept for it.
 */
export class Directories {
  readonly #dependencies: DirectoriesDependencies;
  readonly #repository = new DirectoryRepository();

  constructor(dependencies: DirectoriesDependencies) {
    this.#dependencies = dependencies;
  }

  /** In a stable order, with how many there are. */
  list(
    { organizationId, connectionId }: Directory,
    query: Window & { readonly filter?: UserFilter | undefined },
  ) {
    return this.#repository.list(this.#dependencies.database.within({ organizationId }), connectionId, query);
  }

  /** How many people there are, those who have left included. */
  count({
    organizationId,
    connectionId,
  }: Pick<Directory, 'organizationId' | 'connectionId'>): Promise<number> {
    return this.#repository.count(this.#dependencies.database.within({ organizationId }), connectionId);
  }

  /** @throws NOT_FOUND */
  async get({ organizationId, connectionId }: Directory, userId: string): Promise<Person> {
    const rows = this.#dependencies.database.within({ organizationId });
    const person = await this.#repository.find(rows, { connectionId, userId });
    if (!person) throw personNotFound();
    return person;
  }

  /**
   * Adds somebody: by the account of their address, or with a new one. An organization's own directory also brings back whom
   * somebody here has removed.
   *
   * @throws ScimError; QUOTA_EXCEEDED; UNAUTHENTICATED
   */
  create(provision: Provision, said: Said): Promise<Provisioned> {
    const email = addressOf(said);
    if (email === undefined)
      throw new Refused(
        'EMAIL_MISSING',
        'invalidValue',
        'The user has no e-mail address, and userName is none.',
      );
    return this.#dependencies.acts.run(provision, async (acting) => {
      const { tx, at } = acting;
      const { connectionId } = provision.directory;
      await this.#requireDomain(tx, email);
      if ((await this.#repository.count(tx, connectionId)) >= directoryPeopleMax) throw directoryFull();
      await this.#requireFreeName(tx, connectionId, said);
      const account = await this.#repository.accountByEmail(tx, connectionId, email);
      if (account?.isKnown) throw taken('This person is in the directory under another userName.');
      const adopted = account?.awaits === false ? account : undefined;
      if (adopted) requireProven(adopted);
      const userId = adopted?.userId ?? (await this.#makeAccount(acting, said, email));
      await this.#repository.insert(tx, { connectionId, userId }, said, at);
      await record(acting, 'directory.person-added', userOf(userId));
      await this.#settle(acting, userId, said.active ?? true);
      const person = await this.#read(tx, connectionId, userId);
      return { person, came: adopted ? 'USER_ADOPTED' : 'USER_CREATED' };
    });
  }

  /**
   * Changes what a directory says of somebody, and what follows from it, all or nothing.
   *
   * @param change what it says now
   * @throws ScimError; NOT_FOUND; QUOTA_EXCEEDED; UNAUTHENTICATED
   */
  change(provision: Provision, userId: string, change: (before: Said) => Said): Promise<Provisioned> {
    return this.#dependencies.acts.run(provision, async (acting) => {
      const { tx, at } = acting;
      const { connectionId } = provision.directory;
      const person = await this.#read(tx, connectionId, userId);
      // Whether they are active is what holds here: the directory has not said so, until it does.
      const before = { ...saidOf(person), active: undefined };
      const said = change(before);
      const { active } = said;
      const isChanged = !isDeepStrictEqual({ ...said, active: undefined }, before);
      if (isChanged) {
        if (userNameKey(said.userName) !== userNameKey(before.userName)) {
          await this.#requireFreeName(tx, connectionId, said);
        }
        await this.#repository.update(tx, { connectionId, userId }, said, at);
        await record(acting, 'directory.person-changed', userOf(userId));
      }
      // Somebody whom others have disabled is not active, and has not left.
      if (active === false || (active && !person.active)) await this.#settle(acting, userId, active);
      const after = await this.#read(tx, connectionId, userId);
      if (after.active !== person.active)
        return { person: after, came: after.active ? 'USER_REACTIVATED' : 'USER_DEACTIVATED' };
      return { person: after, came: isChanged ? 'USER_CHANGED' : null };
    });
  }

  /** Ends a membership, and forgets what the directory says of somebody. Their account stays. @throws ScimError; NOT_FOUND; UNAUTHENTICATED */
  remove(provision: Provision, userId: string): Promise<Provisioned> {
    return this.#dependencies.acts.run(provision, async (acting) => {
      const { tx } = acting;
      const { connectionId } = provision.directory;
      const person = await this.#read(tx, connectionId, userId);
      const account = await this.#account(tx, connectionId, userId);
      if (account.role === null) await this.#dependencies.organizations.memberships.keepOut(tx, { userId });
      else await this.#endMembership(acting, account);
      await this.#repository.remove(tx, { connectionId, userId });
      await record(acting, 'directory.person-removed', userOf(userId));
      return { person, came: 'USER_REMOVED' };
    });
  }

  async #read(tx: OrganizationTransaction, connectionId: string, userId: string): Promise<Person> {
    const person = await this.#repository.find(tx, { connectionId, userId });
    if (!person) throw personNotFound();
    return person;
  }

  async #account(tx: OrganizationTransaction, connectionId: string, userId: string): Promise<Account> {
    const account = await this.#repository.account(tx, { connectionId, userId });
    if (!account) throw personNotFound();
    return account;
  }

  async #makeAccount(acting: Acting, said: Said, email: string): Promise<string> {
    const { accounts, newId } = this.#dependencies;
    const id = newId();
    const name = nameOf(said) ?? email.slice(0, email.lastIndexOf('@'));
    if (!(await accounts.madeAccounts.create(acting.tx, { id, email, name }, acting.client))) {
      throw taken('Somebody signs up with this address right now. Try again.');
    }
    await record(acting, 'user.created', userOf(id));
    return id;
  }

  /** Lets somebody in, or ends their access: everywhere within a second. */
  async #settle(acting: Acting, userId: string, active: boolean): Promise<void> {
    const account = await this.#account(acting.tx, acting.directory.connectionId, userId);
    if (active) await this.#letIn(acting, account);
    else if (account.role === null)
      await this.#dependencies.organizations.memberships.keepOut(acting.tx, account);
    else if (!account.disabledHere) await this.#letGo(acting, account);
  }

  async #letIn(acting: Acting, account: Account): Promise<void> {
    const { accounts, groups, organizations } = this.#dependencies;
    const { tx } = acting;
    const { organizationId } = acting.directory;
    const { userId } = account;
    if (account.disabled && !account.disabledHere) {
      throw new ScimError(
        'CONFLICT',
        'mutability',
        'This account was disabled by somebody else, who alone can enable it.',
      );
    }
    if (account.disabledHere) {
      // Whom owners have shut out would otherwise bring themselves back, as an owner.
      if (account.role === 'owner')
        throw new Refused(
          'OWNER_DISABLED',
          'mutability',
          'This account is disabled, and that of an owner: another owner enables it.',
        );
      await tx.within({ userId }, (inner) => accounts.disabling.enableOwn(inner, organizationId));
      await record(acting, 'user.enabled', userOf(userId));
    }
    if (account.role !== null) return;
    requireProven(account);
    await this.#requireDomain(tx, account.email);
    const role = await groups.given(tx, userId);
    await organizations.memberships.begin(tx, { organizationId, userId, role });
    await organizations.places.requireInOrganization(tx);
    await record(acting, 'member.added', userOf(userId), { role });
  }

  /** An account of this organization alone is disabled and stays a member; of any other, the membership ends. */
  async #letGo(acting: Acting, account: Account): Promise<void> {
    const { disabling } = this.#dependencies.accounts;
    const { organizationId } = acting.directory;
    const { userId } = account;
    requireReachable(account);
    const isDisabled = await acting.tx.within({ userId }, (inner) =>
      disabling.disableOwn(inner, organizationId),
    );
    if (isDisabled) await record(acting, 'user.disabled', userOf(userId));
    else await this.#endMembership(acting, account);
  }

  async #endMembership(acting: Acting, account: Account): Promise<void> {
    const { organizationId } = acting.directory;
    const { userId, role } = account;
    requireReachable(account);
    await this.#dependencies.organizations.memberships.remove(acting.tx, { organizationId, userId });
    await record(acting, 'member.removed', userOf(userId), { role });
  }

  async #requireDomain(tx: OrganizationTransaction, email: string): Promise<void> {
    const domains = await this.#dependencies.organizations.domains.proven(tx);
    if (domains.includes(email.slice(email.lastIndexOf('@') + 1))) return;
    throw new Refused(
      'DOMAIN_NOT_VERIFIED',
      'invalidValue',
      'The address is in no domain that the organization has verified.',
    );
  }

  async #requireFreeName(
    tx: OrganizationTransaction,
    connectionId: string,
    { userName }: Said,
  ): Promise<void> {
    if (!(await this.#repository.findByUserName(tx, connectionId, userName))) return;
    throw taken('This userName belongs to somebody in the directory.');
  }
}

const userOf = (id: string) => ({ type: 'user', id });

/** Where a directory provisions. */
export const directoryAddress = (
  { AUTH_URL }: Pick<Ground['config'], 'AUTH_URL'>,
  { organizationId, connectionId }: Pick<Directory, 'organizationId' | 'connectionId'>,
): string => `${AUTH_URL}/scim/v2/${organizationId}/${connectionId}`;

const saidOf = ({ userName, externalId, attributes, active }: Person): Said => ({
  userName,
  externalId,
  active,
  attributes,
});

/** An account that may be somebody else's: its address is not confirmed, and the organization has not made it. */
function requireProven({ verified, made }: Account): void {
  if (verified || made) return;
  const detail =
    'This address has an account that is not confirmed. Its owner confirms it by the letter first.';
  throw new Refused('EMAIL_NOT_VERIFIED', 'uniqueness', detail);
}

/** No directory ends what an owner has, unless they have linked its connection; and the last owner stays. */
function requireReachable({ role, isLinked, otherOwners }: Account): void {
  if (role !== 'owner') return;
  if (!otherOwners)
    throw new Refused('LAST_OWNER', 'mutability', 'This is the last owner of the organization, who stays.');
  if (isLinked) return;
  const detail =
    'Owners who have not linked their own account are out of reach of the directory. Change their role first.';
  throw new Refused('LINK_REQUIRED', 'mutability', detail);
}

const taken = (detail: string): Refused => new Refused('USER_NAME_TAKEN', 'uniqueness', detail);

const personNotFound = (): ApiError => new ApiError('NOT_FOUND', 'The directory has nobody with this id.');

const directoryFull = (): ApiError =>
  new ApiError('QUOTA_EXCEEDED', `The directory has ${directoryPeopleMax} people, and nobody was added.`, {
    statusCode: 409,
    reason: 'PEOPLE',
  });
