import { withoutSession, type Transaction } from '../../database.ts';
import { RepeatedWork, type Ground } from '../../ground/index.ts';
import { mailOwners, type Mail } from '../../mail/index.ts';
import { KeyExpiriesRepository } from './key-expiries.repository.ts';

interface KeyExpiriesDependencies extends Pick<Ground, 'database' | 'logger'> {
  readonly mail: Pick<Mail, 'outbox'>;
}

const intervalMs = 60 * 60 * 1_000;

/** Tells the owners of an organization two weeks before its keys expire, once for each key. */
export class KeyExpiries {
  /** As the service starts, and once an hour. */
  readonly work: RepeatedWork;
  readonly #dependencies: KeyExpiriesDependencies;
  readonly #repository = new KeyExpiriesRepository();

  constructor(dependencies: KeyExpiriesDependencies) {
    this.#dependencies = dependencies;
    this.work = new RepeatedWork({
      name: 'announce keys that expire',
      intervalMs,
      atStart: true,
      logger: dependencies.logger,
      run: async (ending) => {
        while (!ending.aborted && (await this.announceSome())) continue;
      },
    });
  }

  /** Writes to the owners of some organizations. @returns whether there may be more */
  async announceSome(): Promise<boolean> {
    const { database, logger } = this.#dependencies;
    const organizations = await this.#repository.organizations(database.unscoped);
    let told = 0;
    for (const organizationId of organizations) {
      try {
        await withoutSession('maintenance', database.within({ organizationId }), (tx) =>
          this.#announce(tx, organizationId),
        );
        told += 1;
      } catch (error) {
        logger.warn({ err: error, organization: organizationId }, 'owners were not told of keys that expire');
      }
    }
    // What failed is for the next time.
    return told > 0;
  }

  /** Another instance that does the same finds nothing left. */
  async #announce(tx: Transaction, organizationId: string): Promise<void> {
    const { mail } = this.#dependencies;
    const keys = await this.#repository.take(tx);
    const [first] = keys;
    if (!first) return;
    const { organizationName } = first;
    await mailOwners(tx, { ...mail, organizationId }, ({ to, name }) => {
      return { to, template: 'keys-expire', data: { name, organizationName, keys } };
    });
  }
}
