import { DueWork, type DueWorkKind, type DueWorkOptions } from '@tenantry/outbox';

/** Daily deletions of an organization's data, by the kind of due work that schedules them. */
export type Chores = Readonly<Record<string, DueWorkKind>>;

/** The interval of an organization's chores. */
export const daySeconds = 24 * 60 * 60;

/** One worker for all chores of a service; none without chores. */
export function createHousekeeping(
  chores: Chores,
  options: Pick<DueWorkOptions<unknown>, 'database' | 'logger'>,
): DueWork[] {
  if (Object.keys(chores).length === 0) return [];
  const attemptsMax = Number.MAX_SAFE_INTEGER;
  return [new DueWork({ ...options, pollSeconds: 60, attemptsMax, kinds: chores })];
}
