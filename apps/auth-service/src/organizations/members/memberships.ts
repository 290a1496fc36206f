import type { Role } from '@tenantry/jwt-verify';
import type { Actor } from '@tenantry/service/resources';
import { recordAudit } from '../../audit/index.ts';
import type { Rows, Transaction } from '../../database.ts';
import { recordEvent, recordMember, recordUserUpdated } from '../../events/index.ts';
import type { Ground, OrganizationContext, User } from '../../ground/index.ts';
import { sessionEnded, type Sessions } from '../../sessions/index.ts';
import { recordRevocation } from '../../tokens/index.ts';
import type { Organizations } from '../organizations.ts';
import type { Places } from '../places/places.ts';
import { alreadyMember } from './members.errors.ts';
import { MembersRepository, type Member, type Place } from './members.repository.ts';

interface MembershipsDependencies extends Pick<Ground, 'config' | 'now'> {
  readonly organizations: Pick<Organizations, 'planPersonal' | 'insert'>;
  readonly places: Pick<Places, 'requireOfUser'>;
  readonly sessions: Pick<Sessions, 'endConfined' | 'moveOn'>;
}

/** The personal organization that replaces one that was left or deleted is created without a request. */
const byJob = { actor: { kind: 'job', name: 'personal-organizations' }, client: null } as const;

/**
 * Starts, changes and ends memberships, for all use cases. The caller's transaction runs in the scope of the organization and
 * has locked it.
 */
export class Memberships {
  readonly #dependencies: MembershipsDependencies;
  readonly #repository = new MembersRepository();

  constructor(dependencies: MembershipsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Locks the organization's members against other changes. @returns whether the organization exists */
  lock(tx: Transaction): Promise<boolean> {
    return this.#repository.lockOrganization(tx);
  }

  /** @throws ALREADY_MEMBER; QUOTA_EXCEEDED; UNAUTHENTICATED when the user was erased meanwhile. */
  begin(tx: Transaction, { organizationId, userId, role }: Place & { readonly role: Role }): Promise<void> {
    const { now, places } = this.#dependencies;
    return tx.within({ organizationId, userId }, async (inner) => {
      const user = await this.#repository.lockUser(inner);
      if (!user) throw sessionEnded();
      const at = now();
      if (!(await this.#repository.insert(inner, { userId, role, at }))) throw alreadyMember();
      await this.#repository.forgetRemoval(inner, userId);
      await places.requireOfUser(inner);
      await recordMember(inner, 'member.added', userId);
    });
  }

  /** Changes a member's role, which revokes tokens with the former one. No connection has an owner who has not linked it. */
  async changeRole(
    tx: Transaction,
    context: OrganizationContext<Actor>,
    {
      member: { userId, role: from },
      role,
    }: { readonly member: Pick<Member, 'userId' | 'role'>; readonly role: Role },
  ): Promise<void> {
    const { sessions, now } = this.#dependencies;
    const at = now();
    await this.#repository.setRole(tx, { userId, role, at });
    if (role === 'owner') {
      const { organizationId } = context;
      await tx.within({ organizationId, userId }, (inner) => sessions.endConfined(inner, organizationId));
    }
    await recordRevocation(tx, { kind: 'member', userId, at });
    await recordMember(tx, 'member.role-changed', userId);
    const target = { type: 'user', id: userId };
    await recordAudit(tx, context, { action: 'member.role-changed', target, details: { from, to: role } });
  }

  /** As {@link Memberships.end}, by somebody else, and as {@link Memberships.keepOut}. */
  async remove(tx: Transaction, member: Place): Promise<void> {
    await this.end(tx, member);
    await this.keepOut(tx, member);
  }

  /** Whoever is no member comes in by an invitation from now on, and not by their address or an invitation from before. */
  keepOut(tx: Transaction, { userId }: Pick<Place, 'userId'>): Promise<void> {
    return this.#repository.noteRemoval(tx, { userId, at: this.#dependencies.now() });
  }

  /**
   * Ends a membership, and the tokens that came with it. Sessions continue in another organization of the user, who gets a
   * personal one if none is left; an account that the organization disabled is enabled.
   */
  end(tx: Transaction, member: Place): Promise<void> {
    return tx.within(member, async (inner) => {
      await this.#depart(inner, member);
      await recordEvent(inner, { type: 'member.removed', ...member });
    });
  }

  /** Moves the sessions of a user whose organization was deleted, as {@link Memberships.end} does. */
  settle(tx: Transaction, member: Place): Promise<void> {
    return tx.within(member, async (inner) => {
      const user = await this.#repository.lockUser(inner);
      if (user) await this.#moveOn(inner, member, user);
    });
  }

  /** In the scope of a user: creates a personal organization. @returns its id; null where users get none */
  async beginPersonal(tx: Transaction): Promise<string | null> {
    const user = await this.#repository.lockUser(tx);
    return user ? this.#createPersonal(tx, user) : null;
  }

  /** In the scope of a user: the user's organizations, in the order in which they are locked. */
  organizationIds(tx: Transaction): Promise<string[]> {
    return this.#repository.organizationIds(tx);
  }

  /** In the scope of a user: in how many organizations, and at least one. */
  async count(rows: Rows): Promise<number> {
    return Math.max(1, (await this.#repository.organizationIds(rows)).length);
  }

  /** In the scope of a user: whether the user belongs to another organization as well. */
  belongsToOthers(tx: Transaction, organizationId: string): Promise<boolean> {
    return this.#repository.belongsToOthers(tx, organizationId);
  }

  async #createPersonal(tx: Transaction, owner: User): Promise<string | null> {
    const { config, organizations } = this.#dependencies;
    if (!config.PERSONAL_ORGANIZATIONS) return null;
    const planned = organizations.planPersonal(owner);
    const { id } = planned.organization;
    await tx.within({ organizationId: id, userId: owner.id }, (inner) =>
      organizations.insert(inner, byJob, planned),
    );
    return id;
  }

  async #moveOn(tx: Transaction, left: Place, user: User): Promise<void> {
    const { sessions, now } = this.#dependencies;
    const isGivenBack = await this.#repository.giveBack(tx, left, now());
    const next = (await this.#repository.firstMembership(tx)) ?? (await this.#createPersonal(tx, user));
    await sessions.moveOn(tx, { from: left.organizationId, to: next });
    if (isGivenBack) await recordUserUpdated(tx);
  }

  async #depart(tx: Transaction, member: Place): Promise<void> {
    const { now } = this.#dependencies;
    const { userId } = member;
    const user = await this.#repository.lockUser(tx);
    if (!user) return;
    await this.#repository.remove(tx, userId);
    await recordRevocation(tx, { kind: 'member', userId, at: now() });
    await this.#moveOn(tx, member, user);
  }
}
