import { copiesBehind } from '@tenantry/service/events';
import type { Logger } from '@tenantry/service/logging';
import type { DueItem, Outcome, ScheduleWork } from '@tenantry/service/work';
import type { Rows, Tenant, Transaction } from '../database.ts';
import type { FetchedLogo, FetchLogo } from './fetch-logo.ts';
import type { Logo } from './logo.ts';
import type { LogosRepository } from './logos.repository.ts';

/** The organization of a picture, and the deadline of the fetch. */
interface FetchingContext {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

export interface LogosOptions {
  readonly repository: LogosRepository;
  readonly fetchLogo: FetchLogo;
  readonly schedule: ScheduleWork;
  readonly logger: Pick<Logger, 'warn'>;
}

/** How long a request waits for a picture, in milliseconds. */
const patienceMs = 3_000;
/** Attempts, half a minute in total, in which auth-service may have another picture than expected: its event is on its way. */
const attemptsForAnother = 3;
/** After so many attempts at growing intervals they begin again: quotes wait for the picture. */
const attemptsInARow = 4;
const againAfterSeconds = 60;

/**
 * The logos on quotes. An event names the current one by its digest; the picture is fetched once, after the commit. Since a
 * digest identifies a picture, a copy can be late but not wrong.
 */
export class Logos {
  readonly #options: LogosOptions;

  constructor(options: LogosOptions) {
    this.#options = options;
  }

  /** Schedules fetching an organization's new logo, and removing logos that are no longer shown. */
  async expect(tx: Transaction, digest: string | undefined): Promise<void> {
    const { repository, schedule } = this.#options;
    await repository.removeUnsent(tx, digest);
    if (digest === undefined || (await repository.has(tx, digest))) return;
    await schedule(tx, { kind: 'logo', id: workIdOf(digest) });
  }

  /**
   * Fetches the picture of a digest at once if it is not there: what needs it was asked for before the scheduled work was done.
   * Without success the work goes on. Call it before a transaction.
   */
  async hasten(tenant: Tenant, digest: string | undefined): Promise<void> {
    const { repository, fetchLogo } = this.#options;
    if (digest === undefined || (await repository.has(tenant, digest))) return;
    const signal = AbortSignal.timeout(patienceMs);
    const found = await fetchLogo(tenant.scope.organizationId, signal).catch(() => undefined);
    if (typeof found === 'object' && found.digest === digest) await this.#keep(tenant, found);
  }

  /**
   * Marks the picture that a quote is sent with to be kept.
   *
   * @throws UPSTREAM_UNAVAILABLE if it has not been fetched, or was just replaced
   */
  async keepSent(tx: Transaction, digest: string | undefined): Promise<void> {
    if (digest !== undefined && !(await this.#options.repository.markSent(tx, digest))) throw copiesBehind();
  }

  /**
   * The picture of a digest; undefined without one.
   *
   * @throws UPSTREAM_UNAVAILABLE if it has not been fetched
   */
  async find(rows: Rows, digest: string | undefined): Promise<Logo | undefined> {
    if (digest === undefined) return undefined;
    const logo = await this.#options.repository.find(rows, digest);
    if (!logo) throw copiesBehind();
    return logo;
  }

  /**
   * Fetches the picture of a due work item, whose id comes from its digest. One that auth-service does not have, or that cannot
   * be shown, is never waited for: quotes go without a logo until an event names the next.
   */
  async fetch(
    { organizationId, id, attempts }: DueItem,
    { tenant, signal }: FetchingContext,
  ): Promise<Outcome> {
    const { repository, fetchLogo, logger } = this.#options;
    const named = await repository.current(tenant);
    // The logo has changed: its event has scheduled other work.
    if (!named || workIdOf(named.digest) !== id) return 'done';
    let found: FetchedLogo;
    try {
      found = await fetchLogo(organizationId, signal);
    } catch (error) {
      if (attempts < attemptsInARow) throw error;
      logger.warn({ organizationId, err: error }, 'a logo cannot be asked for: its quotes are not sent');
      return { againAfterSeconds };
    }
    if (typeof found === 'object' && found.digest === named.digest) {
      await this.#keep(tenant, found);
      return 'done';
    }
    if (typeof found === 'object' && attempts < attemptsForAnother)
      throw new Error('auth-service has another logo than the one that its event names');
    // It may have been asked before an event that names the logo again.
    if (!(await repository.dropCurrent(tenant, named))) return { againAfterSeconds: 0 };
    const reason = typeof found === 'object' ? 'another' : found;
    logger.warn({ organizationId, reason }, 'a logo cannot be fetched: quotes go without it');
    return 'done';
  }

  /** Stores a picture, unless an event has named another logo meanwhile. */
  #keep(tenant: Tenant, logo: Logo): Promise<void> {
    const { repository } = this.#options;
    return tenant.transaction(async (tx) => {
      if ((await repository.current(tx))?.digest === logo.digest) await repository.insert(tx, logo);
    });
  }
}

/** The id of the work comes from the logo's digest: another logo is another work item. */
const workIdOf = (digest: string): string =>
  digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
