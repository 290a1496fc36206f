import { ApiError } from '@tenantry/envelope';
import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import { forgetMail } from '../mail/mail.ts';
import type { Actor } from '../ground/callers/actor.ts';
import type { Memberships } from '../organizations/members/memberships.ts';
import type { OrganizationChanges } from '../organizations/organization-changes.ts';
import { recordRevocation } from '../tokens/revocations/revocations.ts';
import { sessionEnded } from '../sessions/sessions.errors.ts';
import type { SessionUser } from '../sessions/session.ts';
import type { ErasureRepository } from './erasure.repository.ts';
import { ownsAlone } from './users.errors.ts';

/** What erasing needs. */
export interface ErasureDependencies {
  readonly repository: ErasureRepository;
  readonly memberships: Pick<Memberships, 'lock'>;
  readonly organizationChanges: Pick<OrganizationChanges, 'dissolve'>;
  readonly now: () => Date;
}

/** Ending an account for good. */
export interface Erasure {
  /**
   * Deletes a user and all that is personal. Organizations that nobody else belongs to end with the account; the
   * audit trail of the others keeps the id, and nothing else.
   *
   * @throws LAST_OWNER while an organization would be left without an owner.
   */
  erase(user: SessionUser, actor: Actor): Promise<void>;
}

/** Nobody joins one organization after another for longer. */
const attemptsMax = 3;

/** Makes the use case of erasing a user. */
export function createErasure(dependencies: ErasureDependencies): Erasure {
  const { repository, memberships, organizationChanges, now } = dependencies;

  /**
   * Organizations first, then the user: the order of everything that changes memberships. Undefined when the user
   * has joined another one meanwhile.
   */
  async function hold(tx: Transaction, userId: string): Promise<string[] | undefined> {
    const organizationIds = await repository.listOrganizations(tx);
    for (const organizationId of organizationIds) {
      await tx.within({ organizationId, userId }, (inner) => memberships.lock(inner));
    }
    if (!(await repository.lockUser(tx))) throw sessionEnded();
    const held = new Set(organizationIds);
    const present = await repository.listOrganizations(tx);
    return present.every((id) => held.has(id)) ? present : undefined;
  }

  /** Leaves one organization; gives its name when it cannot be left. */
  function leave(tx: Transaction, organizationId: string, actor: Actor): Promise<string | undefined> {
    const { userId, client } = actor;
    return tx.within({ organizationId, userId }, async (inner) => {
      const tie = await repository.findTie(inner, userId);
      if (!tie) return undefined;
      if (tie.members === 1) {
        await organizationChanges.dissolve(inner, organizationId, actor);
        return undefined;
      }
      if (tie.role === 'owner' && tie.owners === 1) return tie.name;
      const target = { type: 'user', id: userId };
      const details = { role: tie.role };
      await recordAudit(inner, {
        organizationId,
        actorUserId: userId,
        action: 'user.erased',
        ...{ target, client, details },
      });
      return undefined;
    });
  }

  /** Whether it could be done at once. */
  async function attempt(tx: Transaction, email: string, actor: Actor): Promise<boolean> {
    const { userId } = actor;
    const organizationIds = await hold(tx, userId);
    if (!organizationIds) return false;
    const kept: string[] = [];
    for (const organizationId of organizationIds) {
      const name = await leave(tx, organizationId, actor);
      if (name !== undefined) kept.push(name);
    }
    if (kept.length > 0) throw ownsAlone(kept);

    await recordRevocation(tx, { kind: 'user', userId, at: now() });
    await forgetMail(tx, email);
    await repository.remove(tx, userId);
    await recordEvent(tx, { type: 'user.erased', userId });
    return true;
  }

  return {
    async erase({ id, email }, actor) {
      for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
        if (await repository.transaction(id, (tx) => attempt(tx, email, actor))) return;
      }
      throw joinedMeanwhile();
    },
  };
}

function joinedMeanwhile(): ApiError {
  return new ApiError('CONFLICT', 'You joined an organization at the same moment. Try again.');
}
