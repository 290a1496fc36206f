import type { Transaction } from '../database.ts';
import { deviceName, type Background, type Client, type Ground } from '../ground/index.ts';
import type { OrganizationAction, OwnAction } from './audit-actions.ts';
import { createAuditRepository, type AuditPage, type AuditQuery, type OwnEvent } from './audit.repository.ts';

/** What is recorded of anything. */
interface Circumstances {
  /** What it was done to. */
  readonly target?: { readonly type: string; readonly id: string };
  readonly client?: Client;
  /** Anything else that helps a reader, never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** What is worth recording of an organization. */
export interface AuditEntry extends Circumstances {
  /** Who did it; null for nobody in particular, such as a declined invitation. */
  readonly actorUserId: string | null;
  readonly action: OrganizationAction;
}

/** What is worth recording of a user's account. */
export interface OwnAuditEntry extends Circumstances {
  readonly action: OwnAction;
}

/** Reading the audit trail. */
export interface Audit {
  readonly background: Background;
  /** A page of an organization's trail, newest first. */
  list(organizationId: string, query: AuditQuery): Promise<AuditPage>;
  /** A page of what happened to a user's account, newest first. */
  listOwn(userId: string, query: AuditQuery): Promise<AuditPage>;
}

const repository = createAuditRepository();

/**
 * Adds to the trail of the scope's organization, in the transaction of what it records: neither exists without the
 * other.
 */
export async function recordAudit(tx: Transaction, { actorUserId, ...entry }: AuditEntry): Promise<void> {
  await repository.insert(tx, { ...eventOf(entry), actorUserId });
}

/**
 * Likewise adds to the trail of the scope's user, and a copy to that of every organization of which the user is a
 * member at that moment: which one is active hides nothing, and what somebody does after leaving is not the
 * organization's to know.
 */
export async function recordOwnAudit(tx: Transaction, entry: OwnAuditEntry): Promise<void> {
  await repository.insertOwn(tx, eventOf(entry));
}

/**
 * Adds to the trail of the scope's user alone: what was done to the account by somebody else, whom the trail of the
 * organization names.
 */
export async function recordDoneTo(tx: Transaction, entry: OwnAuditEntry): Promise<void> {
  await repository.insertDoneTo(tx, eventOf(entry));
}

function eventOf({
  action,
  target,
  client,
  details = {},
}: Circumstances & Pick<OwnEvent, 'action'>): OwnEvent {
  return {
    action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    ipAddress: client?.ipAddress ?? null,
    device: client ? deviceName(client) : null,
    details,
  };
}

/**
 * Forgets what the transaction's user was called, and from where and by what they have acted, in every organization there was:
 * for the erasure of the user, whose id remains. @returns the organizations whose trails mention the user
 */
export async function forgetInTrails(tx: Transaction): Promise<string[]> {
  await repository.forgetUser(tx);
  return repository.mentioning(tx);
}

export function createAudit({ config, database }: Pick<Ground, 'config' | 'database'>): Audit {
  const { AUDIT_RETENTION_DAYS: retentionDays } = config;
  return {
    background: {
      sweeps:
        retentionDays === 0
          ? {}
          : {
              audit: () => repository.sweep(database.unscoped, retentionDays),
              ownAudit: () => repository.sweepOwn(database.unscoped, retentionDays),
            },
    },
    listOwn: (userId, query) => repository.ownPage(database.within({ userId }), query),
    list: (organizationId, query) => repository.page(database.within({ organizationId }), query),
  };
}
