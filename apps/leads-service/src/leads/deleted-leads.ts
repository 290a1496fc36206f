import { daySeconds, type Audit, type Chores } from '@tenantry/business-service';
import type { Transaction } from '../database.ts';
import type { LeadAction } from './lead-actions.ts';
import { purgeBatch, type LeadErasureRepository } from './lead-erasure.repository.ts';

/** The kind of due work that deletes leads for good; the migration that brought it names it as well. */
export const purgeKind = 'deleted-leads';
const batchesMax = 20;
const actor = { kind: 'job', name: purgeKind } as const;

/** What is needed to delete old ones. */
export interface DeletedLeadsOptions {
  readonly repository: Pick<LeadErasureRepository, 'purge'>;
  readonly audit: Audit<LeadAction>;
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
    [purgeKind]: {
      async work(_item, { tenant, signal }) {
        for (let batches = 0; batches < batchesMax && !signal.aborted; batches += 1) {
          const purged = await tenant.transaction((tx) => purge(tx as Transaction));
          if (purged < purgeBatch) return { againAfterSeconds: daySeconds };
        }
        return { againAfterSeconds: 0 };
      },
    },
  };
}
