import { ApiError } from '@tenantry/envelope';
import { forgetInTrails, recordAudit } from '../audit/index.ts';
import type { Transaction, UserTransaction } from '../database.ts';
import { recordErasure } from '../events/index.ts';
import type { Client, Context, Ground, OrganizationContext } from '../ground/index.ts';
import { forgetMail } from '../mail/index.ts';
import type { OrganizationsWing } from '../organizations/index.ts';
import type { Principal, Sessions } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import { ownsAlone } from './accounts.errors.ts';
import { ErasureRepository } from './erasure.repository.ts';

interface ErasureDependencies extends Pick<Ground, 'now'> {
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'deletions' | 'purges'>;
  readonly signIn: Pick<SignIn, 'forgetAddress'>;
}

/** An account that is about to end. */
interface LockedAccount {
  readonly userId: string;
  readonly email: string;
  readonly organizationIds: readonly string[];
  /** The letters to the address to delete: all, or all but invitations, which are meant for the address's owner. */
  readonly letters: 'all' | 'of the account';
}

/** The maximum number of attempts, while the user joins further organizations. */
const attemptsMax = 3;

/** Deletes accounts permanently. */
export class Erasure {
  readonly #dependencies: ErasureDependencies;
  readonly #repository = new ErasureRepository();

  constructor(dependencies: ErasureDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Deletes the acting user with all personal data. Organizations without another member are deleted too; the audit trails of
   * the others keep only the user's id.
   *
   * @throws LAST_OWNER while an organization would be left without an owner; UNAUTHENTICATED when the session has ended
   */
  async erase(context: Context, principal: Principal): Promise<void> {
    const { id: userId } = principal.user;
    const { callers } = this.#dependencies.sessions;
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const first = (tx: Transaction) => this.#lockAll(tx, userId);
      const attempt = (tx: UserTransaction, locked: readonly string[] | undefined | null) =>
        this.#attempt(tx, context, locked);
      const done = await callers.own<boolean, readonly string[] | undefined | null>(principal, attempt, {
        first,
      });
      if (done) return;
    }
    throw joinedMeanwhile();
  }

  /**
   * Within a transaction: deletes an account that waits for its address to be confirmed, so that a later sign-up of the
   * address takes its place. @returns whether there was one
   */
  async eraseAwaiting(tx: Transaction, email: string, client: Client): Promise<boolean> {
    const userId = await this.#repository.findAwaiting(tx, email);
    if (userId === undefined) return false;
    return tx.within({ userId }, async (inner) => {
      const organizationIds = await this.#lockAll(inner, userId);
      // It may have been confirmed before it was locked.
      if (!organizationIds || (await this.#repository.findAwaiting(inner, email)) !== userId) return false;
      const actor = { kind: 'user', userId, name: null } as const;
      await this.#leaveAll(inner, { actor, client }, organizationIds);
      await this.eraseLocked(inner, { userId, email, organizationIds, letters: 'of the account' });
      return true;
    });
  }

  /**
   * Within a transaction in the scope of the user, who is locked: deletes the user and all that is personal, in every table,
   * and notifies the organizations that the user belonged to. Every deletion of an account goes through this.
   */
  async eraseLocked(tx: UserTransaction, account: LockedAccount): Promise<void> {
    const { organizations, signIn, now } = this.#dependencies;
    const { userId, email, organizationIds, letters } = account;
    await recordRevocation(tx, { kind: 'user', userId, at: now() });
    await forgetMail(tx, email, letters);
    await signIn.forgetAddress(tx, email);
    const mentioning = await forgetInTrails(tx);
    const concerned = [...new Set([...organizationIds, ...mentioning])];
    for (const organizationId of concerned) {
      await tx.within({ organizationId, userId }, (inner) => this.#repository.forgetArrivals(inner, email));
    }
    await organizations.purges.abandonLone(tx);
    await this.#repository.remove(tx, userId);
    // Other services still name the user in the trails of organizations that the user has left.
    await recordErasure(tx, userId, concerned);
  }

  /**
   * Organizations first, then the user: the order of everything that changes memberships. Undefined when the user
   * has joined another one meanwhile, and null when the user is gone.
   */
  async #lockAll(tx: Transaction, userId: string): Promise<string[] | undefined | null> {
    const { memberships } = this.#dependencies.organizations;
    const organizationIds = await memberships.organizationIds(tx);
    for (const organizationId of organizationIds) {
      await tx.within({ organizationId, userId }, (inner) => memberships.lock(inner));
    }
    if (!(await this.#repository.lockUser(tx))) return null;
    const locked = new Set(organizationIds);
    const present = await memberships.organizationIds(tx);
    return present.every((id) => locked.has(id)) ? present : undefined;
  }

  /** Leaves one organization. @returns its name if it cannot be left */
  #leave(tx: Transaction, context: OrganizationContext): Promise<string | undefined> {
    const { organizationId, actor } = context;
    const { userId } = actor;
    return tx.within({ organizationId, userId }, async (inner) => {
      const tie = await this.#repository.findTie(inner, userId);
      if (!tie) return undefined;
      if (tie.members === 1) {
        await this.#dependencies.organizations.deletions.dissolve(inner, context);
        return undefined;
      }
      if (tie.role === 'owner' && !tie.otherOwners) return tie.name;
      const target = { type: 'user', id: userId };
      await recordAudit(inner, context, { action: 'user.erased', target, details: { role: tie.role } });
      return undefined;
    });
  }

  /** @returns whether it could be done immediately */
  async #attempt(
    tx: UserTransaction,
    context: Context,
    organizationIds: readonly string[] | undefined | null,
  ): Promise<boolean> {
    const { userId } = context.actor;
    if (!organizationIds) return false;
    // The account's address may have changed meanwhile.
    const email = await this.#repository.addressOf(tx, userId);
    await this.#leaveAll(tx, context, organizationIds);
    await this.eraseLocked(tx, { userId, email, organizationIds, letters: 'all' });
    return true;
  }

  async #leaveAll(tx: Transaction, context: Context, organizationIds: readonly string[]): Promise<void> {
    const kept: string[] = [];
    for (const organizationId of organizationIds) {
      const name = await this.#leave(tx, { ...context, organizationId });
      if (name !== undefined) kept.push(name);
    }
    if (kept.length > 0) throw ownsAlone(kept);
  }
}

function joinedMeanwhile(): ApiError {
  return new ApiError('CONFLICT', 'You joined an organization at the same moment. Try again.', {
    reason: 'JOINED_MEANWHILE',
  });
}
