import { recordAudit } from '../../audit/index.ts';
import type { OrganizationTransaction } from '../../database.ts';
import {
  countChange,
  type CallerContext,
  type Ground,
  type Membership,
  type User,
} from '../../ground/index.ts';
import type { Mail } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Memberships } from '../members/memberships.ts';
import type { Organizations } from '../organizations.ts';
import type { Places } from '../places/places.ts';
import { notJoinable } from './domains.errors.ts';
import { JoiningRepository } from './joining.repository.ts';

interface JoiningDependencies extends Pick<Ground, 'database' | 'limits'> {
  readonly mail: Pick<Mail, 'addressees'>;
  readonly memberships: Pick<Memberships, 'begin' | 'lock'>;
  readonly organizations: Pick<Organizations, 'get'>;
  readonly places: Pick<Places, 'requireInOrganization'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** An organization that a user may join. */
interface JoinableOrganization {
  readonly id: string;
  readonly name: string;
  /** That of the user's address. */
  readonly domain: string;
  readonly twoFactorRequired: boolean;
}

/** Lets people with a confirmed address in a proven domain become members by themselves, where the organization wants that. */
export class Joining {
  readonly #dependencies: JoiningDependencies;
  readonly #repository = new JoiningRepository();

  constructor(dependencies: JoiningDependencies) {
    this.#dependencies = dependencies;
  }

  /** The organizations that a user may join; none while the address is not confirmed. */
  async joinable(userId: string): Promise<JoinableOrganization[]> {
    const { database } = this.#dependencies;
    const own = await this.#repository.ownDomain(database.unscoped, userId);
    if (!own) return [];
    const { organizationId, domain } = own;
    const rows = database.within({ organizationId });
    const { role, mayJoin } = await this.#repository.standing(rows, { domain, userId });
    if (role !== null || !mayJoin) return [];
    const offered = await this.#repository.offered(database.unscoped, organizationId);
    return offered ? [{ ...offered, domain }] : [];
  }

  /**
   * Makes a user a member, with the least role; a member stays as they are.
   *
   * @throws EMAIL_NOT_VERIFIED; NOT_FOUND; QUOTA_EXCEEDED; RATE_LIMITED; UNAUTHENTICATED
   */
  async join(context: CallerContext, organizationId: string): Promise<Membership> {
    const { database, limits, mail, memberships, organizations, sessions } = this.#dependencies;
    const { userId } = context.actor;
    await mail.addressees.requireProven(database.unscoped, userId);
    const charge = { limiter: limits.accountChanges, key: userId };
    const { role } = await countChange(charge, () =>
      sessions.callers.towards(
        { ...context, organizationId },
        (tx, user) => this.#join(tx, { context, organizationId, user }),
        { first: (tx) => memberships.lock(tx) },
      ),
    );
    return { ...(await organizations.get(organizationId)), role };
  }

  /** The organization is locked, and so is the user: neither the domain nor the address changes meanwhile. */
  async #join(
    tx: OrganizationTransaction,
    {
      context,
      organizationId,
      user,
    }: { readonly context: CallerContext; readonly organizationId: string; readonly user: User },
  ) {
    const { memberships, places } = this.#dependencies;
    const { id: userId } = user;
    const own = await this.#repository.ownDomain(tx, userId);
    if (own?.organizationId !== organizationId) throw notJoinable();
    const { domain } = own;
    const { role, mayJoin } = await this.#repository.standing(tx, { domain, userId });
    if (role !== null) return { role, hasChanged: false };
    if (!mayJoin) throw notJoinable();
    await memberships.begin(tx, { organizationId, userId, role: 'member' });
    await places.requireInOrganization(tx);
    const target = { type: 'user', id: userId };
    await recordAudit(tx, context, { action: 'member.joined', target, details: { domain, role: 'member' } });
    return { role: 'member', hasChanged: true } as const;
  }
}
