import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { Actor } from '@tenantry/service/resources';
import { recordAudit } from '../../audit/index.ts';
import type { Rows, Transaction } from '../../database.ts';
import {
  countChange,
  organizationNotFound,
  type Ground,
  type MemberContext,
  type OrganizationContext,
  type SignedIn,
} from '../../ground/index.ts';
import { mailOwners, type Mail, type TemplateData } from '../../mail/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import { recordOrganizationRevocation } from '../../tokens/index.ts';
import { requirePermission } from '../members/member-rules.ts';
import { ownTwoFactorFirst } from '../organizations.errors.ts';
import { connectionOff, connectionUntried, ssoStillRequired } from './sso-requirement.errors.ts';
import {
  SsoRequirementRepository,
  type LockedOut,
  type StoredRequirement,
} from './sso-requirement.repository.ts';

interface SsoRequirementDependencies extends Pick<Ground, 'database' | 'limits' | 'now'> {
  readonly mail: Pick<Mail, 'outbox'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Whether an organization requires single sign-on, and what an owner needs to know before they require it. */
export interface ShownRequirement {
  readonly required: boolean;
  /** The connection that is on; null where none is. */
  readonly connectionId: string | null;
  /** Until when the caller may require it; null where they have not come in by it. ISO 8601 text. */
  readonly requirableUntil: string | null;
  /** Members who have never come in by it. */
  readonly lockedOut: LockedOut;
}

/** A requirement to set. */
interface WantedRequirement {
  readonly required: boolean;
  /** The level of the caller's session: it must be that of an owner's own way. */
  readonly acr: AuthenticationLevel;
}

type RequirementChange = TemplateData['sso-requirement-changed']['change'];

/** How long a trial of the connection counts. */
const trialMs = 60 * 60 * 1_000;

/**
 * Whether members with an address in an organization's verified domains get in by its connection alone. Owners have a way of their own,
 * with two factors.
 */
export class SsoRequirement {
  readonly #dependencies: SsoRequirementDependencies;
  readonly #repository = new SsoRequirementRepository();

  constructor(dependencies: SsoRequirementDependencies) {
    this.#dependencies = dependencies;
  }

  /** @param userId the caller, who may require it once they have tried it */
  get(organizationId: string, userId: string): Promise<ShownRequirement> {
    return this.#shown(this.#dependencies.database.within({ organizationId }), userId);
  }

  /**
   * Requires single sign-on, or does so no more. Required, it revokes the access tokens of all members.
   *
   * @returns whether it changed anything
   * @throws CONFLICT without a connection, or within the hour of a trial; TWO_FACTOR_REQUIRED; FORBIDDEN; RATE_LIMITED
   */
  async set(
    context: MemberContext<SignedIn>,
    { required, acr }: WantedRequirement,
  ): Promise<{ readonly requirement: ShownRequirement; readonly hasChanged: boolean }> {
    const { limits, sessions } = this.#dependencies;
    const { organizationId, actor } = context;
    const charge = { limiter: limits.organizationChanges, key: organizationId };
    return countChange(charge, () =>
      sessions.callers.inOrganization(context, async (tx, role) => {
        requirePermission(role, 'connections:write');
        const before = await this.#find(tx, actor.userId);
        const hasChanged = before.required !== required;
        if (hasChanged && required) await this.#require(tx, context, { before, acr });
        if (hasChanged && !required) await this.#lift(tx, context, before, 'off');
        return { requirement: await this.#shown(tx, actor.userId), hasChanged };
      }),
    );
  }

  /** In a transaction that has locked the organization: before its connection or its last domain goes. @throws CONFLICT */
  async requireNone(tx: Transaction): Promise<void> {
    if ((await this.#find(tx)).required) throw ssoStillRequired();
  }

  /**
   * Likewise, where they go all the same: single sign-on is not required any more. After the last domain, owners are written to.
   */
  async fallAway(
    tx: Transaction,
    context: OrganizationContext<Actor>,
    { isTold }: { readonly isTold: boolean },
  ): Promise<void> {
    const before = await this.#find(tx);
    if (before.required) await this.#lift(tx, context, before, isTold ? 'domains-gone' : null);
  }

  /** Likewise: members with an address in a domain that counts from now on are concerned. */
  async concernMore(tx: Transaction): Promise<void> {
    const { required } = await this.#find(tx);
    if (required) await recordOrganizationRevocation(tx, { at: this.#dependencies.now() });
  }

  async #require(
    tx: Transaction,
    context: MemberContext<SignedIn>,
    { before, acr }: { readonly before: StoredRequirement; readonly acr: AuthenticationLevel },
  ): Promise<void> {
    const { now } = this.#dependencies;
    const { organizationId } = context;
    // Owners keep a way of their own: this one has it.
    if (acr !== 'aal2') throw ownTwoFactorFirst();
    if (before.connectionId === null) throw connectionOff();
    if (requirableUntil(before, now()) === null) throw connectionUntried();
    await this.#repository.set(tx, { organizationId, required: true, at: now() });
    await recordOrganizationRevocation(tx, { at: now() });
    const target = { type: 'connection', id: before.connectionId };
    await recordAudit(tx, context, { action: 'connection.required', target });
    await this.#tell(tx, context, before, 'on');
  }

  async #lift(
    tx: Transaction,
    context: OrganizationContext<Actor>,
    before: StoredRequirement,
    change: RequirementChange | null,
  ): Promise<void> {
    const { organizationId } = context;
    await this.#repository.set(tx, { organizationId, required: false, at: this.#dependencies.now() });
    const { connectionId: id } = before;
    const entry = { action: 'connection.no-longer-required' } as const;
    await recordAudit(tx, context, id === null ? entry : { ...entry, target: { type: 'connection', id } });
    if (change !== null) await this.#tell(tx, context, before, change);
  }

  async #tell(
    tx: Transaction,
    { organizationId, actor }: OrganizationContext<Actor>,
    { organizationName }: StoredRequirement,
    change: RequirementChange,
  ): Promise<void> {
    const { mail } = this.#dependencies;
    const by = actor.kind === 'user' ? actor.name : null;
    await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
      return { to, template: 'sso-requirement-changed', data: { name, organizationName, change, by } };
    });
  }

  async #shown(rows: Rows, userId: string): Promise<ShownRequirement> {
    const found = await this.#find(rows, userId);
    const { required, connectionId } = found;
    const until = requirableUntil(found, this.#dependencies.now());
    return {
      required,
      connectionId,
      requirableUntil: until?.toISOString() ?? null,
      lockedOut: await this.#repository.lockedOut(rows),
    };
  }

  async #find(rows: Rows, userId: string | null = null): Promise<StoredRequirement> {
    const found = await this.#repository.find(rows, userId);
    if (!found) throw organizationNotFound();
    return found;
  }
}

function requirableUntil({ triedAt }: StoredRequirement, at: Date): Date | null {
  const until = triedAt && new Date(triedAt.getTime() + trialMs);
  return until && until > at ? until : null;
}
