import { AddressedShares, FairShares, NoShareError } from '@tenantry/fair-shares';
import { measureShares, type Measurement } from '@tenantry/service-kit/metrics';
import { renamedMeanwhile } from './users.errors.ts';

/** Whose name is changed, on whose behalf. */
export interface Renaming {
  readonly id: string;
  readonly organizationId: string;
  /** The client address as it is counted. */
  readonly address: string;
}

/**
 * Changes of names, which wait for another service and for the directory: so many at a time, a quarter of them of one
 * organization. Those of one user come one after the other, since a part of a name is changed on what the one before has left.
 */
export class Renamings {
  readonly #turns = new AddressedShares({
    name: 'renamings',
    runningMax: 100,
    runningPerSharerMax: 25,
    runningPerAddressMax: 50,
    waitingMax: 1_000,
  });
  readonly #ofUsers = new FairShares({
    name: 'renamings-of-a-user',
    runningMax: Infinity,
    runningPerSharerMax: 1,
    waitingMax: 100,
  });
  readonly measurements: readonly Measurement[] = this.#turns.shares.flatMap(measureShares);

  /** @throws {ApiError} CONFLICT when too many wait */
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
