import { dailySweep, type Chores } from '@tenantry/service/work';
import type { Transaction } from '../database.ts';
import { purgeBatch, type LeadErasureRepository } from './lead-erasure.repository.ts';
import type { LeadAudit } from './lead.ts';

/** The kind of due work that deletes leads for good; the migration that brought it names it as well. */
export const purgeKind = 'deleted-leads';
const actor = { kind: 'job', name: purgeKind } as const;

/** What is needed to delete old ones. */
export interface DeletedLeadsOptions {
  readonly repository: Pick<LeadErasureRepository, 'purge'>;
  readonly audit: LeadAudit;
  /** 0 keeps them for ever. */
  readonly retentionDays: number;
}

/** Deletes leads for good that were deleted long ago: each organization's once a day, from its first deletion on. */
export function deletedLeadsChores({ repository, audit, retentionDays }: DeletedLeadsOptions): Chores {
  if (retentionDays === 0) return {};
  const purge = async (tx: Transaction): Promise<number> => {
    const leads = await repository.purge(tx, retentionDays);
    if (leads > 0) await audit.record(tx, { actor, action: 'lead.purged', details: { leads } });
    return leads;
  };
  return {
    [purgeKind]: dailySweep(purgeBatch, (tenant) => tenant.transaction((tx) => purge(tx as Transaction))),
  };
}
