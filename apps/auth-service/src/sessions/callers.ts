import type { Role } from '@tenantry/jwt-verify';
import {
  openTransaction,
  type OrganizationTransaction,
  type Transaction,
  type UserTransaction,
} from '../database.ts';
import {
  notLetIn,
  organizationNotFound,
  type CallerContext,
  type Ground,
  type MemberContext,
  type User,
} from '../ground/index.ts';
import type { Addressee, Mail } from '../mail/index.ts';
import type { CallersRepository } from './callers.repository.ts';
import type { Principal } from './session.ts';
import { sessionEnded, sessionConfined } from './sessions.errors.ts';

/** Whoever acts in a session. */
type Acting = Pick<CallerContext, 'sessionId'> & { readonly userId: string };

/** Further rows to lock, in the order in which everything locks them. */
interface Locks<Scoped extends Transaction, Locked = unknown> {
  /** Locks what comes before users: organizations, or the users of a whole organization. */
  readonly first?: ((tx: Scoped) => Promise<Locked>) | undefined;
  /** Users whom the work changes. */
  readonly others?: readonly string[] | undefined;
}

/** How a member comes to act in an organization. */
interface MemberLocks extends Locks<OrganizationTransaction> {
  /** For leaving alone: members leave without the second factor that the organization requires. */
  readonly secondFactor?: 'waived' | undefined;
  /** For changes of the caller's own account, and of who owns the organization: no session makes them that is confined to it. */
  readonly takesOwnSignIn?: boolean | undefined;
}

interface CallersDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly repository: CallersRepository;
  readonly mail: Pick<Mail, 'addressees'>;
}

/**
 * Opens the transactions of signed-in users. Access was decided when the request's headers arrived, and its body, a hash or a
 * provider took time since: each transaction asks again whether the session is alive and the account enabled, and keeps both so
 * until it commits.
 */
export class Callers {
  readonly #dependencies: CallersDependencies;

  constructor(dependencies: CallersDependencies) {
    this.#dependencies = dependencies;
  }

  /** A transaction on the caller's own rows. @throws UNAUTHENTICATED */
  own<Result, Locked>(
    { user, session }: Principal,
    work: (tx: UserTransaction, locked: Locked | undefined) => Promise<Result>,
    { first }: Pick<Locks<UserTransaction, Locked>, 'first'> = {},
  ): Promise<Result> {
    const { id: userId } = user;
    return openTransaction(this.#dependencies.database.within({ userId }), async (tx) => {
      const locked = await first?.(tx);
      await this.#hold(tx, { userId, sessionId: session.id });
      return work(tx, locked);
    });
  }

  /** As {@link Callers.own}, with the account, which is marked as changed. */
  ownAccount<Result>(
    principal: Principal,
    work: (tx: UserTransaction, account: Addressee) => Promise<Result>,
  ): Promise<Result> {
    const { mail, now } = this.#dependencies;
    return this.own(principal, async (tx) => {
      const { userId } = tx.scope;
      const account = await mail.addressees.lockForUpdate(tx, { userId, at: now() });
      if (!account) throw sessionEnded();
      return work(tx, account);
    });
  }

  /**
   * A transaction on the rows of an organization that the caller is a member of. It locks the organization, so that the role,
   * which is passed on, does not change meanwhile.
   *
   * @throws UNAUTHENTICATED; NOT_FOUND where the organization is gone or the user no member; TWO_FACTOR_REQUIRED;
   * SIGN_IN_REQUIRED
   */
  inOrganization<Result>(
    context: MemberContext,
    work: (tx: OrganizationTransaction, role: Role, isConfined: boolean) => Promise<Result>,
    { first, others, secondFactor, takesOwnSignIn = false }: MemberLocks = {},
  ): Promise<Result> {
    const { repository } = this.#dependencies;
    const { organizationId, sessionId } = context;
    const lock = async (tx: OrganizationTransaction) => {
      const exists = await repository.lockOrganization(tx);
      await first?.(tx);
      return exists;
    };
    return this.#within(context, { lock, others }, async (tx, exists) => {
      const standing = await repository.standing(tx, { organizationId, sessionId });
      const { role, isConfined } = standing;
      const refusal = secondFactor === 'waived' ? null : standing.refusal;
      if (!exists) throw organizationNotFound();
      if (role === null || refusal !== null) throw notLetIn({ refusal });
      if (isConfined && takesOwnSignIn) throw sessionConfined();
      return work(tx, role, isConfined);
    });
  }

  /**
   * A transaction on the rows of an organization that the caller does not belong to yet.
   *
   * @param work gets the caller's account as it is now
   * @param first locks the organization, if it exists
   * @throws UNAUTHENTICATED
   */
  towards<Result>(
    context: MemberContext,
    work: (tx: OrganizationTransaction, caller: User) => Promise<Result>,
    { first }: Pick<Locks<OrganizationTransaction>, 'first'> = {},
  ): Promise<Result> {
    const lock = async (tx: OrganizationTransaction) => first?.(tx);
    return this.#within(context, { lock }, (tx, _locked, caller) => work(tx, caller));
  }

  async #within<Locked, Result>(
    { organizationId, actor, sessionId }: MemberContext,
    locks: {
      readonly lock: (tx: OrganizationTransaction) => Promise<Locked>;
      readonly others?: readonly string[] | undefined;
    },
    work: (tx: OrganizationTransaction, locked: Locked, caller: User) => Promise<Result>,
  ): Promise<Result> {
    const { userId } = actor;
    const rows = this.#dependencies.database.within({ organizationId, userId });
    return openTransaction(rows, async (tx) => {
      const locked = await locks.lock(tx);
      return work(tx, locked, await this.#hold(tx, { userId, sessionId }, locks.others));
    });
  }

  /** Keeps the session alive and the account enabled until the transaction commits. @throws UNAUTHENTICATED */
  async #hold(tx: Transaction, acting: Acting, others: readonly string[] = []): Promise<User> {
    const { repository, now } = this.#dependencies;
    const user = await repository.lock(tx, { ...acting, at: now() }, others);
    if (!user) throw sessionEnded();
    return user;
  }
}
