import { createDueWork, type DueWorkKind, type Worker } from '@tenantry/outbox';
import type { Logger } from '@tenantry/service-kit';
import type { TenantDatabase } from '@tenantry/tenancy';

/** What is deleted of an organization once a day, by the kind of the due work that says when. */
export type Chores = Readonly<Record<string, DueWorkKind>>;

/** What housekeeping is made of. */
export interface HousekeepingOptions {
  readonly database: TenantDatabase<unknown>;
  readonly logger: Logger;
  readonly chores: Chores;
}

/** When an organization's turn comes again. */
export const daySeconds = 24 * 60 * 60;

/** One worker for all chores of a service; none where there are no chores. */
export function createHousekeeping({ database, logger, chores }: HousekeepingOptions): Worker[] {
  if (Object.keys(chores).length === 0) return [];
  const attemptsMax = Number.MAX_SAFE_INTEGER;
  return [createDueWork({ database, logger, pollSeconds: 60, attemptsMax, kinds: chores })];
}
