import type { Ground } from '../../ground/index.ts';
import type { Protocol } from '../kinds.ts';
import { arrivalCodes, type ArrivalCode } from './arrival-codes.ts';
import { ArrivalsRepository, type StoredArrival } from './arrivals.repository.ts';
import { SignInCounts } from './sign-in-counts.ts';

/** Somebody whom an IdP sent, or a request of its directory, and what came of it. */
export interface Arrival {
  readonly organizationId: string;
  readonly connectionId: string;
  /** That of a sign-in; `scim` for a request of a directory. */
  readonly protocol: Protocol | 'scim';
  readonly code: ArrivalCode;
  /** As the IdP says it; null where it says none. */
  readonly address: string | null;
}

/** As {@link Arrival}, as its owners see it: its time is ISO 8601 text. */
export interface ListedArrival extends Pick<StoredArrival, 'kind' | 'address' | 'at'> {
  readonly code: ArrivalCode;
}

const addressLengthMax = 254;

/** What arrived from the IdPs of organizations, so that their owners see why something failed. */
export class Arrivals {
  readonly #dependencies: Pick<Ground, 'database' | 'logger' | 'now'>;
  readonly #repository = new ArrivalsRepository();
  readonly #counts = new SignInCounts();
  readonly measurements = this.#counts.measurements;

  constructor(dependencies: Pick<Ground, 'database' | 'logger' | 'now'>) {
    this.#dependencies = dependencies;
  }

  /**
   * Notes what came of a sign-in or a request, after its transaction: what failed leaves no other trace. It takes one statement, in the
   * place of the hundredth before it, and never throws. Sign-ins are also counted.
   */
  async note({ organizationId, connectionId, protocol, code, address }: Arrival): Promise<void> {
    const { database, logger, now } = this.#dependencies;
    if (protocol !== 'scim') this.#counts.count(protocol, code);
    try {
      const arrival = {
        connectionId,
        kind: protocol === 'scim' ? ('directory' as const) : ('sign-in' as const),
        code,
        address: address === null ? null : tidy(address),
        at: now(),
      };
      await this.#repository.note(database.within({ organizationId }), arrival);
    } catch (error) {
      logger.warn({ err: error, connectionId }, 'what came of a sign-in was not noted');
    }
  }

  /** Newest first. */
  async list(organizationId: string, connectionId: string): Promise<ListedArrival[]> {
    const rows = this.#dependencies.database.within({ organizationId });
    const stored = await this.#repository.list(rows, connectionId);
    return stored.map(({ code, ...arrival }) => ({
      ...arrival,
      // Of another version.
      code: arrivalCodes.find((known) => known === code) ?? 'REFUSED',
    }));
  }
}

/** An IdP may say anything. */
const tidy = (address: string): string =>
  Array.from(address.replaceAll(/\p{C}+/gu, ' ').trim())
    .slice(0, addressLengthMax)
    .join('');
