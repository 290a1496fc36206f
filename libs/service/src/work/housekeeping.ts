import { DueWork, type DueWorkKind, type DueWorkOptions, type WorkTenant } from './due-work.ts';

/** Daily deletions of an organization's data, by the kind of due work that schedules them. */
export type Chores = Readonly<Record<string, DueWorkKind>>;

/** The interval of an organization's chores. */
export const daySeconds = 24 * 60 * 60;

/** Maximum batches in one run, so that it ends long before it times out. */
const batchesMax = 20;

/**
 * The chore of deleting batch by batch, once a day; what one run leaves, the next one deletes at once.
 *
 * @param sweep deletes a batch, and returns how many rows it had
 */
export const dailySweep = (
  batchSize: number,
  sweep: (tenant: WorkTenant) => Promise<number>,
): DueWorkKind => ({
  async work(_item, { tenant, signal }) {
    for (let batches = 0; batches < batchesMax && !signal.aborted; batches += 1) {
      if ((await sweep(tenant)) < batchSize) return { againAfterSeconds: daySeconds };
    }
    return { againAfterSeconds: 0 };
  },
});

/** One worker for all chores of a service; none without chores. */
export function createHousekeeping(
  chores: Chores,
  options: Pick<DueWorkOptions, 'database' | 'logger'>,
): DueWork[] {
  if (Object.keys(chores).length === 0) return [];
  const attemptsMax = Number.MAX_SAFE_INTEGER;
  return [new DueWork({ ...options, pollSeconds: 60, attemptsMax, kinds: chores })];
}
