import type { FilteredQuery } from '@tenantry/tenancy';
import type { Actor, RecordedActor } from '../resources/actors.ts';

/** An event to record. */
export interface AuditEntry<Action extends string> {
  readonly actor: Actor;
  readonly action: Action;
  /** The row that was changed. */
  readonly target?: AuditTarget;
  /** Further details: never a secret, name or address. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** A row before and after a change. */
export interface AuditChange<Action extends string, Subject> extends AuditEntry<Action> {
  readonly before: Subject;
  readonly after: Subject;
}

/** A row and its type. */
export interface AuditTarget {
  /** `lead`. */
  readonly type: string;
  readonly id: string;
  /** Its name at the time: of a lead its name, of a quote its number. It stays readable when the row is gone. */
  readonly name?: string;
}

/** An entry as it is read. */
export interface AuditEvent extends RecordedActor {
  readonly id: string;
  readonly action: string;
  readonly targetType: string | null;
  readonly targetId: string | null;
  readonly targetName: string | null;
  readonly details: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** Selects a page of entries. */
export type AuditQuery = FilteredQuery<'action' | 'actorUserId' | 'targetId'>;
