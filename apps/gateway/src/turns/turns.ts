import { FairShares } from '@tenantry/fair-shares';

/** A body up to this size arrives whole before its request takes a turn; it is the largest that a service parses. */
export const smallBodyBytesMax = 64 * 1024;

/**
 * A client decides how long a body takes to arrive and a response to be read, so an address never gets more than a quarter of
 * what is free, and one user two thirds of that: the next address finds room immediately.
 */
const partOfFreeMax = 1 / 4;

const mebibyte = 1024 * 1024;

/** Memory of requests, in bytes. If there is none left, a request does not wait, since waiting would also use memory. */
export interface SharedMemory {
  /** Small bodies, until their requests have ended. */
  readonly bodies: FairShares;
  /** Responses that clients have not read yet. */
  readonly answers: FairShares;
}

/** The memory of one gateway. */
export function sharedMemory(): SharedMemory {
  const bytes = (name: string, runningMax: number): FairShares =>
    new FairShares({ name, runningMax, partOfFreeMax, waitingMax: 0 });
  return { bodies: bytes('body-bytes', 64 * mebibyte), answers: bytes('answer-bytes', 128 * mebibyte) };
}

/** The turns at one service. */
export interface ServiceTurns {
  /** Requests that have arrived whole, until their answer has been read. */
  readonly requests: FairShares;
  /** Requests whose body is passed on as it arrives. */
  readonly streams: FairShares;
}

/** Maximum concurrent requests at one service. */
export const underWayMax = { requests: 2_048, streams: 384 };

/**
 * @param prefix of its route, by which it is measured
 * @param waitMsMax how long a request waits for its turn; by default 10 s, and 30 s with a body that is passed on as it arrives
 */
export function serviceTurns(prefix: string, waitMsMax?: number): ServiceTurns {
  return {
    requests: new FairShares({
      name: `requests ${prefix}`,
      runningMax: underWayMax.requests,
      partOfFreeMax,
      waitingMax: 8_192,
      waitMsMax: waitMsMax ?? 10_000,
    }),
    streams: new FairShares({
      name: `uploads ${prefix}`,
      runningMax: underWayMax.streams,
      partOfFreeMax,
      waitingMax: 1_024,
      waitMsMax: waitMsMax ?? 30_000,
    }),
  };
}
