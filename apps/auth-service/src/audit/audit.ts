import { userIdOf, type Actor, type changeDetails, type RecordedActor } from '@tenantry/service/resources';
import type { Transaction } from '../database.ts';
import { deviceName, type Background, type Client, type Context, type Ground } from '../ground/index.ts';
import type { AuditedField, OrganizationAction, OwnAction } from './audit-actions.ts';
import {
  AuditRepository,
  sweepAudit,
  sweepOwnAudit,
  type AuditPage,
  type AuditQuery,
  type NewAuditEvent,
} from './audit.repository.ts';

/** An event to record. */
interface AuditEntry<Action extends OrganizationAction | OwnAction = OrganizationAction> {
  readonly action: Action;
  /** The affected resource. */
  readonly target?: AuditTarget;
  /** Anything else that helps a reader, never a secret. */
  readonly details?: AuditDetails;
}

interface AuditTarget {
  readonly type: string;
  readonly id: string;
  /** What it is called at the time; of users their account says it. */
  readonly name?: string;
}

type ChangeValues = ReturnType<typeof changeDetails>['values'];

interface AuditDetails {
  readonly [detail: string]: string | number | boolean | null | readonly string[] | ChangeValues | undefined;
  /** Which fields a change has changed. */
  readonly fields?: readonly AuditedField[];
}

/** An event to record that a user caused on their own account. */
interface OwnAuditEntry extends AuditEntry<OwnAction> {
  readonly client?: Client;
  /** The organization that the session is confined to: no other one has a copy. Null or absent for a session of the user's own. */
  readonly confinedTo?: string | null | undefined;
}

const repository = new AuditRepository();

/**
 * Adds to the trail of the scope's organization, in the transaction of what it records: neither exists without the
 * other.
 */
export async function recordAudit(
  tx: Transaction,
  { actor, client }: Context<Actor | null>,
  entry: AuditEntry,
): Promise<void> {
  await repository.insert(tx, eventOf(entry, client), actorColumns(actor));
}

/**
 * Likewise adds to the trail of the scope's user, and a copy to that of every organization of which the user is a member at
 * that moment: independent of which one is active. Organizations do not learn what a user does after leaving, nor what is done in
 * a session that is confined to another.
 */
export async function recordOwnAudit(
  tx: Transaction,
  { client, confinedTo = null, ...entry }: OwnAuditEntry,
): Promise<void> {
  await repository.insertOwn(tx, eventOf(entry, client), confinedTo);
}

/** Adds an action of another user to the trail of the scope's user only, without address and device. */
export async function recordDoneTo(
  tx: Transaction,
  actor: Actor,
  entry: AuditEntry<OwnAction>,
): Promise<void> {
  await repository.insertDoneTo(tx, eventOf(entry), actorColumns(actor));
}

/** The user's name is that of the account, which may be newer than the actor's. */
function actorColumns(actor: Actor | null): RecordedActor {
  const actorUserId = actor && userIdOf(actor);
  return {
    actorKind: actor?.kind ?? null,
    actorUserId,
    actorName: actorUserId ? null : (actor?.name ?? null),
  };
}

function eventOf(
  { action, target, details = {} }: AuditEntry<OrganizationAction | OwnAction>,
  client?: Client | null,
): NewAuditEvent {
  return {
    action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    ipAddress: client?.ipAddress ?? null,
    device: client ? deviceName(client) : null,
    details,
  };
}

/**
 * Removes the name, addresses and devices of the transaction's user from all trails, for the erasure of the user, whose id
 * remains. @returns the organizations whose trails mention the user
 */
export async function forgetInTrails(tx: Transaction): Promise<string[]> {
  await repository.forgetUser(tx);
  return repository.mentioning(tx);
}

/** Reading the audit trail. */
export class Audit {
  readonly background: Background;
  readonly #database: Ground['database'];

  constructor({ config, database }: Pick<Ground, 'config' | 'database'>) {
    const { AUDIT_RETENTION_DAYS: retentionDays } = config;
    const sweeps = {
      audit: () => sweepAudit(database.unscoped, retentionDays),
      ownAudit: () => sweepOwnAudit(database.unscoped, retentionDays),
    };
    this.background = { sweeps: retentionDays === 0 ? {} : sweeps };
    this.#database = database;
  }

  /** A page of an organization's trail, newest first. */
  list(organizationId: string, query: AuditQuery): Promise<AuditPage> {
    return repository.page(this.#database.within({ organizationId }), query);
  }

  /** A page of what happened to a user's account, newest first. */
  listOwn(userId: string, query: AuditQuery): Promise<AuditPage> {
    return repository.ownPage(this.#database.within({ userId }), query);
  }
}
