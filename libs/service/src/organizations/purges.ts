import type { TenantDatabase } from '@tenantry/tenancy';
import type { Logger } from '../logging/logging.ts';
import type { PeerConfig } from '../peers/peers.ts';
import { Worker } from '../work/worker.ts';
import { askStanding } from './ask-standing.ts';
import type { DueEnd, EndsRepository } from './ends.repository.ts';

/** Options of {@link createPurges}. */
export interface PurgesOptions {
  readonly config: PeerConfig;
  readonly database: TenantDatabase;
  readonly logger: Logger;
  readonly repository: EndsRepository;
  /** Deletes the members of an organization that has ended. */
  readonly forgetMembers: (organizationId: string, signal: AbortSignal) => Promise<void>;
}

/**
 * After this time no earlier request can still be running: an access token is valid for 15 minutes, and a request with it
 * ends soon after.
 */
export const quietSeconds = 20 * 60;
const askAgainSeconds = 10 * 60;
const batchSize = 1_000;

/**
 * Creates the worker that deletes everything that belongs to an organization once auth-service says that it is gone: batch by
 * batch, from every table.
 */
export function createPurges(options: PurgesOptions): Worker<DueEnd> {
  const { config, database, logger, repository, forgetMembers } = options;
  const { unscoped } = database;

  async function purge(organizationId: string, signal: AbortSignal): Promise<void> {
    await repository.beginPurge(unscoped, organizationId);
    const tenant = database.within({ organizationId });
    let rows = 0;
    for (let gone = batchSize; gone > 0; rows += gone) {
      if (signal.aborted) return repository.postpone(unscoped, organizationId, 0);
      gone = await repository.purgeSome(tenant, batchSize);
    }
    await repository.endPurge(unscoped, organizationId);
    logger.info({ organization: organizationId, rows }, 'an organization was purged');
  }

  async function work({ id }: DueEnd, signal: AbortSignal): Promise<void> {
    const standing = await askStanding(config, id, signal);
    switch (standing.state) {
      case 'live':
        return repository.revive(unscoped, id);
      case 'gone':
        return purge(id, signal);
      case 'deleted': {
        await forgetMembers(id, signal);
        if (signal.aborted) return repository.postpone(unscoped, id, 0);
        const seconds = (Date.parse(standing.purgeAt) - Date.now()) / 1_000 + quietSeconds;
        return repository.postpone(unscoped, id, Math.max(askAgainSeconds, seconds));
      }
    }
  }

  return new Worker<DueEnd>({
    name: 'organization purges',
    logger,
    attemptsMax: Number.MAX_SAFE_INTEGER,
    concurrency: 1,
    queue: {
      claim: (claim) => repository.claim(unscoped, claim),
      giveUp: async () => undefined,
    },
    work,
  });
}
