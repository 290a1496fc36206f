import { copiesBehind } from '@tenantry/business-service';
import type { DueItem, Outcome, ScheduleWork } from '@tenantry/outbox';
import type { Rows, Tenant, Transaction } from '../database.ts';
import type { FetchLogo } from './fetch-logo.ts';
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
}

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

  /** Fetches the picture of a due work item, whose id comes from its digest. */
  async fetch({ organizationId, id }: DueItem, { tenant, signal }: FetchingContext): Promise<Outcome> {
    const { repository, fetchLogo } = this.#options;
    const logo = await fetchLogo(organizationId, signal);
    // The logo has changed: its event has scheduled other work.
    if (!logo || workIdOf(logo.digest) !== id) return 'done';
    await tenant.transaction(async (tx) => {
      if (await repository.isCurrent(tx, logo.digest)) await repository.insert(tx, logo);
    });
    return 'done';
  }
}

/** The id of the work comes from the logo's digest: another logo is another work item. */
const workIdOf = (digest: string): string =>
  digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
