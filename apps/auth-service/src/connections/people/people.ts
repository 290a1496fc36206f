import { recordAudit, recordOwnAudit } from '../../audit/index.ts';
import type { Accounts } from '../../accounts/index.ts';
import { withoutSession, type OrganizationTransaction, type Rows, type Transaction } from '../../database.ts';
import { userActor, type Client, type Ground, type User } from '../../ground/index.ts';
import { emailNotVerified, type Mail } from '../../mail/index.ts';
import type { OrganizationsWing } from '../../organizations/index.ts';
import { displayName, invalidCredentials } from '../../sign-in/index.ts';
import { identityTaken, linkRequired, memberRemoved } from '../connections.errors.ts';
import type { LiveConnection } from '../live-connection.ts';
import { domainOf, type Person } from './person.ts';
import { nameOfKind } from '../kinds.ts';
import { PeopleRepository, type AddressedAccount } from './people.repository.ts';

interface PeopleDependencies extends Pick<Ground, 'database' | 'newId' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly organizations: Pick<OrganizationsWing, 'domains' | 'memberships' | 'places'>;
  readonly accounts: Pick<Accounts, 'madeAccounts'>;
}

/** Somebody at the IdP of a connection. */
export interface Arrival {
  readonly connection: LiveConnection;
  readonly person: Pick<Person, 'subject' | 'email' | 'name'>;
}

/** Whom somebody at an IdP signs in. */
export type Standing =
  | { readonly kind: 'known'; readonly userId: string }
  | { readonly kind: 'account'; readonly account: AddressedAccount }
  | { readonly kind: 'newcomer' };

const nameLengthMax = 100;

/**
 * The members whom a connection signs in. Somebody at the IdP is known by their subject; the first time, by an address in a domain
 * of the organization. An IdP makes members, never owners, and reaches no owner who has not linked it; it never changes the
 * name or address of an account.
 */
export class People {
  readonly #dependencies: PeopleDependencies;
  readonly #repository = new PeopleRepository();

  constructor(dependencies: PeopleDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Whom somebody signs in, in the scope of the organization.
   *
   * @throws INVALID_CREDENTIALS for a disabled account; LINK_REQUIRED; MEMBER_REMOVED; IDENTITY_IN_USE
   * @throws EMAIL_NOT_VERIFIED for an account that may be somebody else's: its address is not confirmed, and the organization has
   *   not made it
   */
  async standingOf(rows: Rows, { connection: { id: connectionId }, person }: Arrival): Promise<Standing> {
    const { subject, email } = person;
    const known = await this.#repository.findBySubject(rows, { connectionId, subject });
    if (known) {
      if (known.disabled) throw invalidCredentials();
      if (known.role === 'owner' && !known.isOwn) throw linkRequired();
      return { kind: 'known', userId: known.userId };
    }
    const account = await this.#repository.findByEmail(rows, { connectionId, email });
    if (!account || account.awaits) return { kind: 'newcomer' };
    if (account.disabled) throw invalidCredentials();
    if (account.linked) throw identityTaken();
    if (account.removed) throw memberRemoved();
    if (account.role === 'owner') throw linkRequired();
    if (!account.verified && !account.made) throw emailNotVerified();
    return { kind: 'account', account };
  }

  /**
   * The user of somebody, who is a member from then on: an account is linked and written to, or made.
   *
   * @param hold locks the proof against another use
   * @throws as {@link People.standingOf}; QUOTA_EXCEEDED
   */
  async admit(
    arrival: Arrival,
    {
      client,
      hold,
    }: { readonly client: Client; readonly hold: (tx: OrganizationTransaction) => Promise<void> },
  ): Promise<string> {
    const { database, newId } = this.#dependencies;
    const { organizationId } = arrival.connection;
    const before = await this.standingOf(database.within({ organizationId }), arrival);
    if (before.kind === 'known') return before.userId;
    const userId = before.kind === 'account' ? before.account.userId : newId();
    return withoutSession('sign-in', database.within({ organizationId, userId }), async (tx) => {
      // The organization before users: nobody is admitted twice, and its quota is counted under this lock.
      await this.#dependencies.organizations.memberships.lock(tx);
      await hold(tx);
      const standing = await this.standingOf(tx, arrival);
      if (standing.kind === 'known') return standing.userId;
      if (standing.kind === 'account' && standing.account.userId === userId) {
        await this.#link(tx, arrival, standing.account, client);
      } else if (standing.kind === 'newcomer' && before.kind === 'newcomer') {
        await this.#create(tx, arrival, { userId, client });
      } else {
        // The address has moved meanwhile.
        throw invalidCredentials();
      }
      return userId;
    });
  }

  /**
   * Records a sign-in, in the transaction that starts its session, in which the organization is locked.
   *
   * @throws INVALID_CREDENTIALS where it no longer holds: the domain, the link, the membership or the role has changed
   */
  async use(tx: OrganizationTransaction, arrival: Arrival, userId: string): Promise<void> {
    const { organizations, now } = this.#dependencies;
    const { connection, person } = arrival;
    const domains = await organizations.domains.proven(tx);
    if (!domains.includes(domainOf(person.email))) throw invalidCredentials();
    const standing = await this.standingOf(tx, arrival);
    if (standing.kind !== 'known' || standing.userId !== userId) throw invalidCredentials();
    await this.#repository.use(tx, { connectionId: connection.id, subject: person.subject }, now());
  }

  /** Links somebody to the account of an owner, in a transaction of theirs. @throws IDENTITY_IN_USE */
  async linkOwn(tx: OrganizationTransaction, { connection, person }: Arrival, userId: string): Promise<void> {
    const { id: connectionId } = connection;
    const identity = {
      connectionId,
      subject: person.subject,
      userId,
      isOwn: true,
      at: this.#dependencies.now(),
    };
    if (!(await this.#repository.link(tx, identity))) throw identityTaken();
  }

  /** @returns whether there was a link */
  unlink(tx: OrganizationTransaction, connectionId: string, userId: string): Promise<boolean> {
    return this.#repository.unlink(tx, { connectionId, userId });
  }

  /** Forgets who at the IdP of a connection is which member. */
  forget(tx: Transaction, connectionId: string): Promise<void> {
    return this.#repository.unlinkAll(tx, connectionId);
  }

  async #link(
    tx: OrganizationTransaction,
    arrival: Arrival,
    account: AddressedAccount,
    client: Client,
  ): Promise<void> {
    const { mail } = this.#dependencies;
    const { userId, name, email, role } = account;
    const user = { id: userId, name, email };
    if (role === null) await this.#join(tx, arrival, { user, client });
    await this.#insertLink(tx, arrival, userId);
    const { kind, id } = arrival.connection;
    await recordLink(tx, { userId, client }, { action: 'connection.linked', connection: id });
    const change = { change: 'connection-linked', by: nameOfKind[kind] } as const;
    await mail.outbox.notify(tx, user, 'way-in-changed', change);
  }

  async #create(
    tx: OrganizationTransaction,
    arrival: Arrival,
    { userId, client }: { readonly userId: string; readonly client: Client },
  ): Promise<void> {
    const { email, ...person } = arrival.person;
    const user = { id: userId, email, name: displayName(person.name) ?? nameOf(email) };
    if (!(await this.#dependencies.accounts.madeAccounts.create(tx, user, client)))
      throw invalidCredentials();
    await this.#join(tx, arrival, { user, client });
    await this.#insertLink(tx, arrival, userId);
  }

  async #join(
    tx: OrganizationTransaction,
    { connection: { organizationId, id } }: Arrival,
    { user, client }: { readonly user: User; readonly client: Client },
  ): Promise<void> {
    const { memberships, places } = this.#dependencies.organizations;
    await memberships.begin(tx, { organizationId, userId: user.id, role: 'member' });
    await places.requireInOrganization(tx);
    const context = { organizationId, actor: userActor(user), client };
    const target = { type: 'user', id: user.id };
    await recordAudit(tx, context, {
      action: 'connection.member-added',
      target,
      details: { connection: id },
    });
  }

  async #insertLink(
    tx: OrganizationTransaction,
    { connection, person }: Arrival,
    userId: string,
  ): Promise<void> {
    const at = this.#dependencies.now();
    const identity = { connectionId: connection.id, subject: person.subject, userId, isOwn: false, at };
    if (!(await this.#repository.link(tx, identity))) throw identityTaken();
  }
}

/** Until the user chooses another one. */
const nameOf = (email: string): string =>
  Array.from(email.slice(0, email.lastIndexOf('@')))
    .slice(0, nameLengthMax)
    .join('');

/** Adds to the trail of a user, and of the scope's organization alone, that a connection of it was linked or unlinked. */
export async function recordLink(
  tx: OrganizationTransaction,
  { userId, client }: { readonly userId: string; readonly client: Client | null | undefined },
  {
    action,
    connection,
  }: { readonly action: 'connection.linked' | 'connection.unlinked'; readonly connection: string },
): Promise<void> {
  const { organizationId } = tx.scope;
  const target = { type: 'user', id: userId };
  const entry = { action, target, details: { connection }, confinedTo: organizationId };
  await tx.within({ organizationId, userId }, (inner) =>
    recordOwnAudit(inner, { ...entry, ...(client && { client }) }),
  );
}
