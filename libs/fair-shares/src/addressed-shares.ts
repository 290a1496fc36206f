import { FairShares, type FairSharesOptions, type Share } from './fair-shares.ts';
import { sharerOf, type Asking, type Sharer } from './sharer.ts';

/** What is shared, and how much of it one address may have. */
export interface AddressedSharesOptions extends FairSharesOptions {
  /** Shares in use at once by one sharer; default: all of them while nobody else asks. */
  readonly runningPerSharerMax?: number;
  /** Shares that work of one address stands in line for or uses; default: as many as there are. */
  readonly runningPerAddressMax?: number;
  /**
   * The same as a part of the shares that are free, one at the least; takes the place of the other. With 1/4 of 8, two addresses use
   * half of them and six use all, however many organizations each has.
   */
  readonly partOfFreePerAddressMax?: number;
}

/** What ends a wait. */
interface Waiting {
  readonly signal?: AbortSignal;
}

/**
 * Shares something by turns of organizations, of which many may be behind one address: accounts are free. An address has no
 * more work in the line of organizations than `runningPerAddressMax`, and the rest waits behind that, each of its organizations
 * and accounts in turn.
 *
 * @example
 * const hashing = new AddressedShares({ name: 'password-hashing', runningMax: 2, waitingMax: 64 });
 * await hashing.run({ organizationId, userId, address }, () => bcrypt.hash(password, 12));
 */
export class AddressedShares {
  /** What is shared, and the line of each address before it. */
  readonly shares: readonly [turns: FairShares, ofAddresses: FairShares];
  readonly #turns: FairShares;
  readonly #ofAddresses: FairShares;

  constructor(given: AddressedSharesOptions) {
    const { runningPerAddressMax, partOfFreePerAddressMax, ...options } = given;
    const { name, runningMax, runningPerSharerMax = runningMax, waitingMax, waitMsMax = Infinity } = options;
    this.#turns = new FairShares(options);
    const perAddressMax = runningPerAddressMax ?? runningMax;
    // One may always stand in line, so that the next is chosen among all organizations.
    const ofFree = (part: number) => Math.max(1, part * this.#turns.free);
    this.#ofAddresses = new FairShares({
      name: `${name}-addresses`,
      runningMax: Infinity,
      runningPerSharerMax:
        partOfFreePerAddressMax === undefined ? perAddressMax : () => ofFree(partOfFreePerAddressMax),
      // A sharer that may not run holds up no other.
      runningPerMemberMax: runningPerSharerMax,
      waitingMax,
      waitMsMax,
    });
    this.shares = [this.#turns, this.#ofAddresses];
  }

  /** How much work waits for its turn, in either line. */
  get waiting(): number {
    return this.shares.reduce((sum, { counts }) => sum + counts.waiting, 0);
  }

  /** Does work once its turn has come. @throws {NoShareError} as {@link FairShares.run} */
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
    const free = this.takeNow(asking);
    if (free) return free;
    const sharer = sharerOf(asking);
    const place = await this.#ofAddresses.take(atAddress(asking, sharer), waiting);
    try {
      return both(await this.#turns.take(sharer, waiting), place);
    } catch (error) {
      place.giveBack();
      throw error;
    }
  }

  /** A share if one is free now. */
  takeNow(asking: Asking): Share | undefined {
    const sharer = sharerOf(asking);
    const place = this.#ofAddresses.takeNow(atAddress(asking, sharer));
    const turn = place && this.#turns.takeNow(sharer);
    if (!turn) place?.giveBack();
    return place && turn && both(turn, place);
  }
}

const both = (turn: Share, place: Share): Share => ({
  giveBack: () => {
    turn.giveBack();
    place.giveBack();
  },
});

/** The address, and in it who asks. What comes from no known address, such as due work, is told apart by who asks. */
function atAddress({ address }: Asking, sharer: Sharer): Sharer {
  const [outermost] = sharerOf({ address });
  return address === undefined || outermost === sharer[0] ? sharer : [outermost, ...sharer];
}
