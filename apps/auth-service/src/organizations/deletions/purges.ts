import { inTrace } from '@tenantry/tracing';
import type { Transaction } from '../../database.ts';
import { recordEvent } from '../../events/index.ts';
import type { Background, Ground } from '../../ground/index.ts';
import type { Deletions } from './deletions.ts';
import type { DeletionsRepository } from './deletions.repository.ts';
import type { PurgesRepository } from './purges.repository.ts';

/** What purging needs. */
export interface PurgesDependencies extends Pick<Ground, 'database' | 'logger' | 'now'> {
  readonly deletions: Pick<Deletions, 'settleSome'>;
  readonly deleted: Pick<DeletionsRepository, 'lock'>;
  readonly repository: PurgesRepository;
}

/** Ending what is kept of organizations that were deleted. */
export interface Purges {
  /**
   * Goes on with what a deletion has left, and purges what is to be purged: a batch at a time.
   *
   * @returns whether there may be more
   */
  sweep(): Promise<boolean>;
  /** Sweeps as the service starts, and once a minute. */
  readonly background: Required<Pick<Background, 'start' | 'close'>>;
  /** In the scope of a user who is erased: has the organizations purged that could be given back to nobody else. */
  abandonLone(tx: Transaction): Promise<void>;
}

const intervalMs = 60_000;

export function createPurges(dependencies: PurgesDependencies): Purges {
  const { database, logger, deletions, deleted, repository, now } = dependencies;

  /** @returns undefined where it is too early after all, else whether it is over */
  async function purgeSome(tx: Transaction, organizationId: string): Promise<boolean | undefined> {
    const found = await deleted.lock(tx, organizationId);
    if (!found || found.purgeAt > now()) return undefined;
    if (await repository.purgeAudit(tx)) return false;
    await repository.purge(tx, organizationId);
    await recordEvent(tx, { type: 'organization.purged', organizationId });
    return true;
  }

  let isClosing = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function sweepAll(): Promise<void> {
    while (!isClosing && (await sweep())) continue;
  }

  /** Instances that meet wait for each other at the row of the organization. */
  function run(): void {
    running = inTrace('purge organizations', sweepAll).catch((error: unknown) => {
      logger.warn({ err: error }, 'organizations could not be purged');
    });
  }

  async function sweep(): Promise<boolean> {
    const unsettled = await repository.nextUnsettled(database.unscoped);
    if (unsettled !== undefined) {
      const place = { organizationId: unsettled };
      await database.within(place).transaction((tx) => deletions.settleSome(tx, unsettled));
      return true;
    }
    const due = await repository.nextDue(database.unscoped);
    if (due === undefined) return false;
    const place = { organizationId: due };
    const isOver = await database.within(place).transaction((tx) => purgeSome(tx, due));
    if (isOver === true) logger.info({ organization: due }, 'an organization was purged');
    return isOver !== undefined;
  }

  return {
    sweep,
    background: {
      start() {
        timer = setInterval(run, intervalMs).unref();
        run();
      },
      async close() {
        clearInterval(timer);
        isClosing = true;
        await running;
      },
    },

    async abandonLone(tx) {
      for (const organizationId of await repository.listLoneOfUser(tx)) {
        await tx.within({ organizationId }, (inner) => repository.abandon(inner, organizationId, now()));
      }
    },
  };
}
