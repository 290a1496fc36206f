import type { Period } from '@tenantry/tenancy';

/** What is worth recording. */
export interface AuditEntry<Action extends string> {
  /** Who did it; null for somebody who is not signed in, such as a customer with a link. */
  readonly actorUserId: string | null;
  readonly action: Action;
  /** The row that it was done to. */
  readonly target?: AuditTarget;
  /** Anything else that helps a reader: never a secret, and nobody's name or address. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A row, and what kind of thing it is. */
export interface AuditTarget {
  /** `lead`. */
  readonly type: string;
  readonly id: string;
}

/** An entry as it is read. */
export interface AuditEvent {
  readonly id: string;
  readonly action: string;
  readonly actorUserId: string | null;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Which page of which entries. */
export interface AuditQuery extends Period {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly action?: string;
  readonly actorUserId?: string;
  readonly targetId?: string;
}

/** One page, newest first, and how many entries there are in all. */
export interface AuditPage {
  readonly events: readonly AuditEvent[];
  readonly total: number;
}
