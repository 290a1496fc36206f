import type { Transaction } from '../database.ts';
import { deviceName, type Client } from '../ground/callers/client.ts';
import type { AuditAction } from './audit-actions.ts';
import { insertAuditEvent } from './audit.repository.ts';

/** What is worth recording. */
export interface AuditEntry {
  /** The organization it concerns; for what a user does alone, the session's active one. Without any, no trail. */
  readonly organizationId: string | null;
  /** Who did it; null when it was nobody in particular, as an invitation that ran out. */
  readonly actorUserId: string | null;
  readonly action: AuditAction;
  /** What it was done to. */
  readonly target?: { readonly type: string; readonly id: string };
  readonly client?: Client;
  /** Anything more that helps a reader: never a secret. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** A row about to be added. */
export interface NewAuditEvent {
  readonly organizationId: string;
  readonly actorUserId: string | null;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly ipAddress: string | null;
  readonly device: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A row as it is read. */
export interface AuditedEvent extends Omit<NewAuditEvent, 'organizationId'> {
  readonly id: string;
  /** What the actor is called now; null for whoever is no member any more. */
  readonly actorName: string | null;
  readonly createdAt: Date;
}

/** Reads a page of an organization's trail, newest first, and how much there is in all. */
export type ListAudit = (
  organizationId: string,
  page: { readonly page: number; readonly pageSize: number },
) => Promise<{ events: AuditedEvent[]; total: number }>;

/**
 * Adds to the audit trail, in the transaction of what it records: the one never exists without the other.
 *
 * In a transaction of a user without an organization, the trail is written while the user is a member there: what
 * somebody does after leaving is not the organization's to know.
 */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  const { organizationId, actorUserId, action, target, client, details = {} } = entry;
  if (organizationId === null) return;
  await insertAuditEvent(tx, {
    organizationId,
    actorUserId,
    action,
    targetType: target?.type ?? null,
    targetId: target?.id ?? null,
    ipAddress: client?.ipAddress ?? null,
    device: client ? deviceName(client) : null,
    details,
  });
}
