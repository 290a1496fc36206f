import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { Actor } from '../ground/callers/actor.ts';
import { requirePermission } from './members/member-rules.ts';
import type { Memberships } from './members/memberships.ts';
import { recordMemberRevocations } from '../tokens/revocations/revocations.ts';
import { organizationNotFound } from '../sessions/sessions.errors.ts';
import { requireDisplayable } from '../ground/text/display-name.ts';
import type { OrganizationProfile } from './organization.ts';
import { requireAcceptableSettings } from './organization-settings.ts';
import { ownTwoFactorFirst } from './organizations.errors.ts';
import type { OrganizationChange, OrganizationsRepository } from './organizations.repository.ts';
import { organizationEvent } from './organizations.ts';

/** What changing an organization needs. */
export interface OrganizationChangesDependencies {
  readonly repository: OrganizationsRepository;
  readonly memberships: Memberships;
  /** Whether codes are asked of a user. */
  readonly hasSecondFactor: (userId: string) => Promise<boolean>;
  readonly now: () => Date;
}

/** Changing and ending an organization. */
export interface OrganizationChanges {
  /** Changes what is named, and leaves the rest. */
  update(actor: Actor, organizationId: string, change: OrganizationChange): Promise<OrganizationProfile>;
  /** Deletes it. Whoever has no other organization gets a personal one. */
  remove(actor: Actor, organizationId: string): Promise<void>;
  /** Deletes an organization that nobody is left in, in a transaction in its scope that holds it. */
  dissolve(tx: Transaction, organizationId: string, actor: Actor): Promise<void>;
}

/** Makes the use cases of changing an organization. */
export function createOrganizationChanges(
  dependencies: OrganizationChangesDependencies,
): OrganizationChanges {
  const { repository, memberships, hasSecondFactor, now } = dependencies;

  async function dissolve(tx: Transaction, organizationId: string, { userId, client }: Actor): Promise<void> {
    await repository.remove(tx, organizationId);
    await recordEvent(tx, { type: 'organization.deleted', organizationId });
    await recordAudit(tx, {
      organizationId,
      actorUserId: userId,
      action: 'organization.deleted',
      target: { type: 'organization', id: organizationId },
      client,
    });
  }

  return {
    async update({ userId, client }, organizationId, change) {
      const { name, settings = {} } = change;
      if (name !== undefined) requireDisplayable('name', name);
      requireAcceptableSettings(settings);
      if (settings.requireTwoFactor === true && !(await hasSecondFactor(userId))) {
        throw ownTwoFactorFirst();
      }
      return repository.transaction({ organizationId, userId }, async (tx) => {
        requirePermission(await memberships.hold(tx, userId), 'organization:update');
        const before = await repository.read(tx, organizationId);
        const after = await repository.update(tx, organizationId, { ...change, at: now() });
        if (!before || !after) throw organizationNotFound();

        const asked = !before.settings.requireTwoFactor && after.settings.requireTwoFactor;
        if (asked) await recordMemberRevocations(tx, { at: now() });
        await recordEvent(tx, organizationEvent('organization.updated', after));
        await recordAudit(tx, {
          organizationId,
          actorUserId: userId,
          action: 'organization.updated',
          target: { type: 'organization', id: organizationId },
          client,
          details: changedFields(before, after),
        });
        return after;
      });
    },

    async remove(actor, organizationId) {
      const place = { organizationId, userId: actor.userId };
      let isOver = false;
      // A large organization ends in several transactions. Whichever is the last to commit, the rest can be repeated.
      while (!isOver) {
        isOver = await repository.transaction(place, async (tx) => {
          requirePermission(await memberships.hold(tx, actor.userId), 'organization:delete');
          const isEmpty = await memberships.endSome(tx, organizationId);
          if (isEmpty) await dissolve(tx, organizationId, actor);
          return isEmpty;
        });
      }
    },

    dissolve,
  };
}

type Details = Readonly<Record<string, string | number | boolean>>;

/** The fields that differ, as they are now. */
function changedFields(before: OrganizationProfile, after: OrganizationProfile): Details {
  const former: Details = { name: before.name, ...before.settings };
  const present: Details = { name: after.name, ...after.settings };
  return Object.fromEntries(Object.entries(present).filter(([field, value]) => former[field] !== value));
}
