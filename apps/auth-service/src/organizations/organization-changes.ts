import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import { changedFields, changeDetails, type Actor } from '@tenantry/service/resources';
import { keptFields, recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/index.ts';
import {
  countChange,
  organizationNotFound,
  type Ground,
  type MemberContext,
  type OrganizationContext,
} from '../ground/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { recordOrganizationRevocation } from '../tokens/index.ts';
import { requirePermission } from './members/member-rules.ts';
import { acceptableSettings, type OrganizationSettings } from './organization-settings.ts';
import { ownTwoFactorFirst, secondFactorUndeclared } from './organizations.errors.ts';
import {
  OrganizationsRepository,
  type OrganizationChange,
  type OrganizationProfile,
} from './organizations.repository.ts';
import { organizationEvent } from './organizations.ts';

interface OrganizationChangesDependencies extends Pick<Ground, 'limits' | 'now'> {
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** A requested change. */
export interface WantedChange extends OrganizationChange {
  /** The level of the caller's session: it must meet what it requires of others. */
  readonly acr?: AuthenticationLevel;
  /** Further writes in the same transaction. */
  readonly alongside?: (tx: Transaction) => Promise<void>;
}

/** An organization after a change. */
interface ChangedOrganization {
  readonly organization: OrganizationProfile;
  /** False if nothing differed: then nothing was written. */
  readonly hasChanged: boolean;
  /** Whether the change has revoked the access tokens of all members, the caller's included. */
  readonly tokensRevoked: boolean;
}

/** Changing an organization. */
export class OrganizationChanges {
  readonly #dependencies: OrganizationChangesDependencies;
  readonly #repository = new OrganizationsRepository();

  constructor(dependencies: OrganizationChangesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Changes the given fields; omitted ones are unchanged. @throws RATE_LIMITED */
  async update(
    context: MemberContext,
    { alongside, acr, ...wanted }: WantedChange,
  ): Promise<ChangedOrganization> {
    const { limits, sessions } = this.#dependencies;
    const { organizationId } = context;
    const settings = acceptableSettings(wanted.settings ?? {});
    if (settings.requireTwoFactor === true && acr !== 'aal2') throw ownTwoFactorFirst();
    const change = { ...wanted, settings };
    const charge = { limiter: limits.organizationChanges, key: organizationId };
    return countChange(charge, () =>
      sessions.callers.inOrganization(context, async (tx, role) => {
        requirePermission(role, 'organization:update');
        const before = await this.#repository.find(tx, organizationId);
        if (!before) throw organizationNotFound();
        if (settings.requireTwoFactor === true) await this.#requireDeclared(tx);
        const hasChanged = fieldsChanged(before, changedBy(change, before)).length > 0;
        if (!hasChanged) return { organization: before, hasChanged, tokensRevoked: false };
        return this.#write(tx, { context, before, change, alongside });
      }),
    );
  }

  /** Stops requiring a second factor, in a transaction in its scope that has locked it. */
  async letAllIn(tx: Transaction, context: OrganizationContext): Promise<void> {
    const before = await this.#repository.find(tx, context.organizationId);
    if (!before?.settings.requireTwoFactor) return;
    const change = { settings: { requireTwoFactor: false } };
    await this.#write(tx, { context, before, change, alongside: undefined });
  }

  /** Makes an organization what it was elsewhere, in a transaction in its scope that has locked it. @throws VALIDATION_ERROR */
  async takeOver(
    tx: Transaction,
    context: OrganizationContext<Actor>,
    { alongside, ...wanted }: Omit<WantedChange, 'acr'>,
  ): Promise<void> {
    const before = await this.#repository.find(tx, context.organizationId);
    if (!before) throw organizationNotFound();
    const change = { ...wanted, settings: acceptableSettings(wanted.settings ?? {}) };
    if (fieldsChanged(before, changedBy(change, before)).length === 0) return;
    await this.#write(tx, { context, before, change, alongside });
  }

  /** Whoever comes by a connection that proves no second factor could set none up. */
  async #requireDeclared(tx: Transaction): Promise<void> {
    if (await this.#repository.hasUndeclaredConnection(tx)) throw secondFactorUndeclared();
  }

  async #write(tx: Transaction, write: Write): Promise<ChangedOrganization> {
    const { context, before, change, alongside } = write;
    const { now } = this.#dependencies;
    const after = await this.#repository.update(tx, before.id, { ...change, at: now() });
    if (!after) throw organizationNotFound();
    await alongside?.(tx);
    const tokensRevoked = !before.settings.requireTwoFactor && after.settings.requireTwoFactor;
    if (tokensRevoked) await recordOrganizationRevocation(tx, { at: now() });
    await recordEvent(tx, organizationEvent('organization.updated', after));
    const target = { type: 'organization', id: before.id };
    const details = detailsOf(before, after);
    await recordAudit(tx, context, { action: 'organization.updated', target, details });
    return { organization: after, hasChanged: true, tokensRevoked };
  }
}

/** A change that is about to be written. */
interface Write {
  readonly context: OrganizationContext<Actor>;
  readonly before: OrganizationProfile;
  readonly change: OrganizationChange;
  readonly alongside: ((tx: Transaction) => Promise<void>) | undefined;
}

/** An organization as a change would make it. */
function changedBy({ name, settings = {}, logo }: OrganizationChange, before: OrganizationProfile) {
  const named = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(logo !== undefined && { logo }),
    settings: { ...before.settings, ...(Object.fromEntries(named) as Partial<OrganizationSettings>) },
  };
}

const flat = ({ name, settings, logo }: OrganizationProfile) => ({ name, ...settings, logo });

const fieldsChanged = (before: OrganizationProfile, after: OrganizationProfile) =>
  changedFields(flat(before), flat(after));

/** The entry of a change; of name and logo, which the organization shows to others, it has what they became. */
function detailsOf(before: OrganizationProfile, after: OrganizationProfile) {
  const fields = fieldsChanged(before, after);
  const became = (['name', 'logo'] as const).filter((field) => fields.includes(field));
  return {
    ...Object.fromEntries(became.map((field) => [field, after[field]])),
    ...changeDetails(fields, { kept: keptFields, before: flat(before), after: flat(after) }),
  };
}
