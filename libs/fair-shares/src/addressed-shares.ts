import { FairShares, type FairSharesOptions, type Share } from './fair-shares.ts';
import { sharerOf, type Asking, type Sharer } from './sharer.ts';

/** What is shared, and how much of it one address may have. */
export interface AddressedSharesOptions extends FairSharesOptions {
  /** Maximum shares in use by one sharer; default: all of them while no other sharer asks. */
  readonly runningPerSharerMax?: number;
  /** Maximum shares that one address uses or queues for; default: all of them. */
  readonly runningPerAddressMax?: number;
  /**
   * The same as a fraction of the free shares, at least one; replaces the other. With 1/4 of 8, two addresses use half of them
   * and six use all, however many organizations each has.
   */
  readonly partOfFreePerAddressMax?: number;
}

/** Ends a wait. */
interface Waiting {
  readonly signal?: AbortSignal;
}

/**
 * Shares a resource in turn between organizations, many of which may be behind one address, since accounts are free. An address
 * has at most `runningPerAddressMax` jobs in the queue of organizations; the rest waits before it, its organizations and
 * accounts in turn.
 *
 * @example
 * const hashing = new AddressedShares({ name: 'password-hashing', runningMax: 2, waitingMax: 64 });
 * await hashing.run({ organizationId, userId, address }, () => bcrypt.hash(password, 12));
 */
export class AddressedShares {
  /** The resource, and the queue of each address before it. */
  readonly shares: readonly [turns: FairShares, ofAddresses: FairShares];
  readonly #turns: FairShares;
  readonly #ofAddresses: FairShares;

  constructor(given: AddressedSharesOptions) {
    const { runningPerAddressMax, partOfFreePerAddressMax, ...options } = given;
    const { name, runningMax, runningPerSharerMax = runningMax, waitingMax, waitMsMax = Infinity } = options;
    this.#turns = new FairShares(options);
    const perAddressMax = runningPerAddressMax ?? runningMax;
    // One job may always queue, so that the next one is chosen among all organizations.
    const ofFree = (part: number) => Math.max(1, part * this.#turns.free);
    this.#ofAddresses = new FairShares({
      name: `${name}-addresses`,
      runningMax: Infinity,
      runningPerSharerMax:
        partOfFreePerAddressMax === undefined ? perAddressMax : () => ofFree(partOfFreePerAddressMax),
      // A sharer that may not run does not delay others.
      runningPerMemberMax: runningPerSharerMax,
      waitingMax,
      waitMsMax,
    });
    this.shares = [this.#turns, this.#ofAddresses];
  }

  /** Jobs that wait in either queue. */
  get waiting(): number {
    return this.shares.reduce((sum, { counts }) => sum + counts.waiting, 0);
  }

  /** Runs work when its turn comes. @throws {NoShareError} as {@link FairShares.run} */
  async run<Result>(asking: Asking, work: () => Promise<Result>, waiting?: Waiting): Promise<Result> {
    const share = await this.take(asking, waiting);
    try {
      return await work();
    } finally {
      share.giveBack();
    }
  }

  /** Takes a share, in turn. @throws {NoShareError} as {@link FairShares.take} */
  async take(asking: Asking, waiting?: Waiting): Promise<Share> {
    waiting?.signal?.throwIfAborted();
    const sharer = sharerOf(asking);
    const atAddress = addressed(asking, sharer);
    return this.#takeNow(sharer, atAddress) ?? this.#takeInTurn(sharer, atAddress, waiting);
  }

  /** A share if one is free now. */
  takeNow(asking: Asking): Share | undefined {
    const sharer = sharerOf(asking);
    return this.#takeNow(sharer, addressed(asking, sharer));
  }

  #takeNow(sharer: Sharer, atAddress: Sharer): Share | undefined {
    const place = this.#ofAddresses.takeNow(atAddress);
    const turn = place && this.#turns.takeNow(sharer);
    if (!turn) place?.giveBack();
    return place && turn && both(turn, place);
  }

  async #takeInTurn(sharer: Sharer, atAddress: Sharer, waiting: Waiting | undefined): Promise<Share> {
    const place = await this.#ofAddresses.take(atAddress, waiting);
    try {
      return both(await this.#turns.take(sharer, waiting), place);
    } catch (error) {
      place.giveBack();
      throw error;
    }
  }
}

const both = (turn: Share, place: Share): Share => ({
  giveBack: () => {
    turn.giveBack();
    place.giveBack();
  },
});

/** The address, and within it the caller. Work without an address, such as due work, is distinguished by its caller. */
function addressed({ address }: Asking, sharer: Sharer): Sharer {
  const [outermost] = sharerOf({ address });
  return address === undefined || outermost === sharer[0] ? sharer : [outermost, ...sharer];
}
