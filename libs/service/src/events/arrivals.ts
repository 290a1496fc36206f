import { ApiError } from '@tenantry/envelope';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import { withinMs } from '../calls/within-ms.ts';
import { SharedReadings } from './shared-readings.ts';

/** The organizations some of whose events have not been read; `all` if it could be any. */
export type Behind = ReadonlySet<string> | 'all';

/** What a reading of the feed finds. */
export interface Reading {
  readonly behind: Behind;
  /** Whether auth-service did not answer: `behind` is what was known before. */
  readonly isAway: boolean;
  /** Whether events of the organization cannot be stored at present. */
  readonly isWaiting: (organizationId: string) => boolean;
}

/**
 * The state of an organization's copies: they hold everything that auth-service had committed when it was asked, or it cannot be
 * asked and everything it has told is there.
 */
export type Arrival = 'current' | 'away';

/** The copies of the organization are behind, and waiting any longer would not help. */
export const copiesBehind = (): ApiError =>
  new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Recent changes of your organization have not arrived here yet. Try again in a second.',
    { headers: { 'retry-after': '1' } },
  );

/** The longest that a request waits: half of what the gateway gives a response. */
const patienceMs = 5_000;

/** Waits, for requests, until the copies of their organization have arrived. */
export class Arrivals {
  readonly #readings: SharedReadings<Reading>;

  /** @param read reads the next page of the feed */
  constructor(read: () => Promise<Reading>) {
    this.#readings = new SharedReadings(read);
  }

  /** @throws UPSTREAM_UNAVAILABLE if they have not arrived in time */
  async of(organizationId: string): Promise<Arrival> {
    refuseInTransaction('wait for events');
    const asked = { isOver: false };
    try {
      return await withinMs(patienceMs, this.#arrival(organizationId, asked), () => {
        throw copiesBehind();
      });
    } finally {
      asked.isOver = true;
    }
  }

  async #arrival(organizationId: string, asked: { readonly isOver: boolean }): Promise<Arrival> {
    while (!asked.isOver) {
      const { behind, isAway, isWaiting } = await this.#readings.begunNow().catch((cause: unknown) => {
        throw Object.assign(copiesBehind(), { cause });
      });
      const isBehind = behind === 'all' || behind.has(organizationId);
      if (!isBehind) return isAway ? 'away' : 'current';
      if (isAway || isWaiting(organizationId)) break;
    }
    throw copiesBehind();
  }
}
