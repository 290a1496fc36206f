import { withoutSession, type Transaction, type UserTransaction } from '../../database.ts';
import { recordEvent } from '../../events/index.ts';
import { RepeatedWork, type Ground } from '../../ground/index.ts';
import type { Deletions } from './deletions.ts';
import { DeletionsRepository } from './deletions.repository.ts';
import { PurgesRepository } from './purges.repository.ts';

interface PurgesDependencies extends Pick<Ground, 'database' | 'logger' | 'now'> {
  readonly deletions: Pick<Deletions, 'settleSome'>;
}

const intervalMs = 60_000;

/** Purges organizations that were deleted. */
export class Purges {
  /** Sweeps as the service starts, and once a minute. */
  readonly work: RepeatedWork;
  readonly #dependencies: PurgesDependencies;
  readonly #deleted = new DeletionsRepository();
  readonly #repository = new PurgesRepository();

  constructor(dependencies: PurgesDependencies) {
    this.#dependencies = dependencies;
    this.work = new RepeatedWork({
      name: 'purge organizations',
      intervalMs,
      atStart: true,
      logger: dependencies.logger,
      // Concurrent instances wait for each other at the row of the organization.
      run: async (ending) => {
        while (!ending.aborted && (await this.sweep())) continue;
      },
    });
  }

  /**
   * Completes deletions, and purges organizations that are due: a batch at a time.
   *
   * @returns whether there may be more
   */
  async sweep(): Promise<boolean> {
    const { database, logger, deletions } = this.#dependencies;
    const unsettled = await this.#repository.nextUnsettled(database.unscoped);
    if (unsettled !== undefined) {
      const place = { organizationId: unsettled };
      await withoutSession('maintenance', database.within(place), (tx) =>
        deletions.settleSome(tx, unsettled),
      );
      return true;
    }
    const due = await this.#repository.nextDue(database.unscoped);
    if (due === undefined) return false;
    const place = { organizationId: due };
    const isOver = await withoutSession('maintenance', database.within(place), (tx) =>
      this.#purgeSome(tx, due),
    );
    if (isOver === true) logger.info({ organization: due }, 'an organization was purged');
    return isOver !== undefined;
  }

  /**
   * In the scope of a user who is being erased: schedules the purge of deleted organizations that only the user could restore.
   */
  async abandonLone(tx: UserTransaction): Promise<void> {
    const { now } = this.#dependencies;
    for (const organizationId of await this.#repository.listLoneOfUser(tx)) {
      await tx.within({ organizationId }, (inner) => this.#repository.abandon(inner, organizationId, now()));
    }
  }

  /** @returns undefined where it is too early after all, else whether it has ended */
  async #purgeSome(tx: Transaction, organizationId: string): Promise<boolean | undefined> {
    const { now } = this.#dependencies;
    const found = await this.#deleted.lock(tx, organizationId);
    if (!found || found.purgeAt > now()) return undefined;
    if (await this.#repository.purgeAudit(tx)) return false;
    await this.#repository.forgetMaker(tx, organizationId);
    await this.#deleted.forget(tx, organizationId);
    await recordEvent(tx, { type: 'organization.purged', organizationId });
    return true;
  }
}
