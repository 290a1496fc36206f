import { AddressedShares, FairShares, NoShareError } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { renamedMeanwhile } from './users.errors.ts';

/** The user whose name is changed, and the actor. */
export interface Renaming {
  readonly id: string;
  readonly organizationId: string;
  /** The client address as it is counted. */
  readonly address: string;
}

/**
 * Limits concurrent renames, which wait for another service and for the directory: at most a quarter of them for one
 * organization, and a quarter of the free ones for one address. Those of one user run one after the other, since each changes a part of the previous result.
 */
export class Renamings {
  readonly #turns = new AddressedShares({
    name: 'renamings',
    runningMax: 100,
    runningPerSharerMax: 25,
    partOfFreePerAddressMax: 1 / 4,
    waitingMax: 1_000,
  });
  readonly #ofUsers = new FairShares({
    name: 'renamings-of-a-user',
    runningMax: Infinity,
    runningPerSharerMax: 1,
    waitingMax: 100,
  });
  readonly measurements: readonly Measurement[] = this.#turns.shares.flatMap(measureShares);

  /** @throws {ApiError} CONFLICT if too many wait */
  async run<Result>({ id, organizationId, address }: Renaming, work: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#turns.run({ organizationId, address }, () =>
        this.#ofUsers.run([`user:${id}`, `organization:${organizationId}`], work),
      );
    } catch (error) {
      throw error instanceof NoShareError ? renamedMeanwhile() : error;
    }
  }
}
