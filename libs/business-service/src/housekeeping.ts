import { DueWork, type DueWorkKind, type DueWorkOptions } from '@tenantry/outbox';

/** What is deleted of an organization once a day, by the kind of the due work that says when. */
export type Chores = Readonly<Record<string, DueWorkKind>>;

/** The interval of an organization's chores. */
export const daySeconds = 24 * 60 * 60;

/** One worker for all chores of a service; none where there are no chores. */
export function createHousekeeping(
  chores: Chores,
  options: Pick<DueWorkOptions<unknown>, 'database' | 'logger'>,
): DueWork[] {
  if (Object.keys(chores).length === 0) return [];
  const attemptsMax = Number.MAX_SAFE_INTEGER;
  return [new DueWork({ ...options, pollSeconds: 60, attemptsMax, kinds: chores })];
}
