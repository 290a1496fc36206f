import { FairShares } from '@tenantry/fair-shares';

/** A body up to this size arrives whole before its request takes a turn; it is the largest that a service parses. */
export const smallBodyBytesMax = 64 * 1024;

/**
 * A client decides how long a body takes to arrive and an answer to be read, so an address never gets more than an eighth of
 * what is free, and one user two thirds of that: the next address finds room at once.
 */
const partOfFreeMax = 1 / 8;

/** Places for small bodies until their answers are through: 64 MiB with those that wait for a place. */
export function bodyPlaces(): FairShares {
  return new FairShares({
    name: 'request-bodies',
    runningMax: 768,
    partOfFreeMax,
    waitingMax: 256,
    waitingPerSharerMax: 64,
    waitMsMax: 10_000,
  });
}

/** The turns at one service. */
export interface ServiceTurns {
  /** Requests that have arrived whole, until their answer has been read. */
  readonly requests: FairShares;
  /** Requests whose body is passed on as it arrives. */
  readonly streams: FairShares;
}

/** The most requests that may be under way at one service. */
export const underWayMax = { requests: 1_024, streams: 128 };

/** @param prefix of its route, by which it is measured */
export function serviceTurns(prefix: string): ServiceTurns {
  return {
    requests: new FairShares({
      name: `requests ${prefix}`,
      runningMax: underWayMax.requests,
      partOfFreeMax,
      waitingMax: 2_048,
      waitingPerSharerMax: 512,
      waitMsMax: 5_000,
    }),
    streams: new FairShares({
      name: `uploads ${prefix}`,
      runningMax: underWayMax.streams,
      partOfFreeMax,
      waitingMax: 512,
      waitingPerSharerMax: 64,
      waitMsMax: 10_000,
    }),
  };
}
