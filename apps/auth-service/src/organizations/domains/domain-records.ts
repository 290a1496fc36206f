import { ApiError } from '@tenantry/envelope';
import { AddressedShares, NoShareError, type Asking } from '@tenantry/fair-shares';
import { readTexts, UnreadableNameError } from '@tenantry/service/calls';
import type { Logger } from '@tenantry/service/logging';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { recordName } from './domain-names.ts';

/**
 * What the DNS says of the record of a domain: it is there; there are TXT records of that name, but none is it; there is none; or
 * nothing, because a server did not answer or refused to.
 */
export type RecordFinding = 'found' | 'different' | 'missing' | 'unreadable';

interface DomainRecordsOptions {
  /** Addresses of resolvers; empty for those of the system. */
  readonly servers: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  /** How long one reading takes at most. Default: 5 s. */
  readonly readingMsMax?: number | undefined;
}

/** A record that is looked for. */
interface WantedRecord {
  readonly domain: string;
  /** Its text. */
  readonly challenge: string;
}

/**
 * Looks for the TXT records by which organizations prove their domains. The servers of a domain are those of a customer, who may
 * have them answer slowly: readings take turns, and each ends.
 */
export class DomainRecords {
  readonly measurements: readonly Measurement[];
  readonly #turns = new AddressedShares({
    name: 'domain-records',
    runningMax: 32,
    runningPerSharerMax: 4,
    runningPerAddressMax: 8,
    waitingMax: 128,
    waitMsMax: 5_000,
  });
  readonly #options: DomainRecordsOptions;

  constructor(options: DomainRecordsOptions) {
    this.#options = options;
    this.measurements = this.#turns.shares.flatMap(measureShares);
  }

  /** @throws UPSTREAM_UNAVAILABLE (503, Retry-After) if its turn does not come in time */
  async read(asking: Asking, wanted: WantedRecord): Promise<RecordFinding> {
    try {
      return await this.run(asking, () => this.#read(wanted));
    } catch (error) {
      throw error instanceof NoShareError ? busy(error) : error;
    }
  }

  /** Runs work when its turn comes. */
  run<Result>(asking: Asking, work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(asking, work);
  }

  async #read({ domain, challenge }: WantedRecord): Promise<RecordFinding> {
    const { servers, logger, readingMsMax: timeoutMs = 5_000 } = this.#options;
    try {
      const texts = await readTexts(recordName(domain), { servers, timeoutMs });
      if (texts.length === 0) return 'missing';
      return texts.some((text) => text.trim() === challenge) ? 'found' : 'different';
    } catch (error) {
      if (!(error instanceof UnreadableNameError)) throw error;
      logger.warn({ domain, reason: error.message }, 'the record of a domain could not be read');
      return 'unreadable';
    }
  }
}

const busy = (cause: NoShareError): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Too many domains are being checked right now. Try again shortly.', {
    headers: { 'retry-after': '5' },
    cause,
  });
