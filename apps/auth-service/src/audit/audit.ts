import type { Transaction } from '../database.ts';
import { deviceName, type Background, type Client, type Ground } from '../ground/index.ts';
import { isOwn, type AuditAction } from './audit-actions.ts';
import type { AuditQuery } from './audit-query.ts';
import { createAuditRepository, type AuditPage } from './audit.repository.ts';

/** What is worth recording. */
export interface AuditEntry {
  /** The organization it concerns. What users do with their own accounts goes to all of theirs, whichever this is. */
  readonly organizationId: string | null;
  /** Who did it; null for nobody in particular, such as a declined invitation. */
  readonly actorUserId: string | null;
  readonly action: AuditAction;
  /** What it was done to. */
  readonly target?: { readonly type: string; readonly id: string };
  readonly client?: Client;
  /** Anything else that helps a reader, never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Reading the audit trail. */
export interface Audit {
  readonly background: Background;
  /** A page of an organization's trail, newest first. */
  list(organizationId: string, query: AuditQuery): Promise<AuditPage>;
  /** A page of what a user has done with the own account, newest first. */
  listOwn(userId: string, query: AuditQuery): Promise<AuditPage>;
}

const repository = createAuditRepository();

/**
 * Adds to the audit trail, in the transaction of what it records: neither exists without the other.
 *
 * What users do with their own accounts is written to their own trail, and a copy to that of every organization of
 * which they are members at that moment: which one is active hides nothing, and what somebody does after leaving is not
 * the organization's to know.
 */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { organizationId, actorUserId, action, target, client, details = {} } = entry;
  const event = {
    action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    ipAddress: client?.ipAddress ?? null,
    device: client ? deviceName(client) : null,
    details,
  };
  if (isOwn(action)) await repository.insertOwn(tx, event);
  else if (organizationId !== null) await repository.insert(tx, { ...event, organizationId, actorUserId });
}

/**
 * Forgets from where and by what the transaction's user has acted, in every organization there was: for the erasure of
 * the user, whose id remains.
 */
export async function forgetWhereabouts(tx: Transaction): Promise<void> {
  await repository.forgetWhereabouts(tx);
}

/** Makes the use case of reading the trail. */
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
