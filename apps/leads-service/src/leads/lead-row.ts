import type { Lead } from './lead.ts';

/** A lead as PostgreSQL answers it. */
export interface LeadRow extends Omit<Lead, 'createdAt' | 'updatedAt'> {
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What {@link LeadRow} is read from. */
export const leadColumns = `id, name, email, phone, status, source, notes, version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The lead of a row. */
export function toLead({ createdAt, updatedAt, ...lead }: LeadRow): Lead {
  return { ...lead, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}
