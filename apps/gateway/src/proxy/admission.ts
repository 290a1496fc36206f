import { NoShareError, type FairShares, type Share } from '@tenantry/fair-shares';
import { requestTimeout } from '@tenantry/service-kit';
import { sharerOf, type Caller } from '../callers/caller.ts';
import { smallBodyBytesMax, type ServiceTurns } from '../turns/turns.ts';
import { Exchange, type ForwardedRequest } from './exchange.ts';
import { noTurn } from './refusals.ts';
import { ClientSilent, RequestBody } from './request-body.ts';
import type { BodyLength } from './request-headers.ts';
import { readSmallBody } from './small-body.ts';

/** A request that waits for its turn at a service. */
export interface WaitingRequest extends ForwardedRequest {
  readonly caller: Caller;
  readonly bodyLength: BodyLength;
}

/** What {@link Admission} is made of. */
export interface AdmissionOptions {
  /** Places for small bodies, of all services together. */
  readonly bodies: FairShares;
}

/**
 * Lets requests through to a service in turn. A small body arrives before its request takes a turn, so that a slow client
 * holds up nothing; a large one, or one of unknown length, is passed on as it arrives, and there are fewer turns for those.
 *
 * What a request has taken it gives back when its connection is through with it: answered, refused or gone.
 */
export class Admission {
  readonly #bodies: FairShares;

  constructor({ bodies }: AdmissionOptions) {
    this.#bodies = bodies;
  }

  /** Answers the request, sooner or later. */
  admit(waiting: WaitingRequest, turns: ServiceTurns): void {
    const share = waiting.bodyLength === 'none' && turns.requests.takeNow(sharerOf(waiting.caller));
    if (!share) {
      void this.#admitInTurn(waiting, turns);
      return;
    }
    new Exchange(waiting, { body: null, onClose: () => share.giveBack() }).start();
  }

  async #admitInTurn(waiting: WaitingRequest, turns: ServiceTurns): Promise<void> {
    const { request, reply, caller, bodyLength, upstream } = waiting;
    const sharer = sharerOf(caller);
    const through = new AbortController();
    const { signal } = through;
    const taken: Share[] = [];
    reply.raw.once('close', () => {
      through.abort(new Error('the client has gone, or was refused'));
      for (const share of taken) share.giveBack();
    });
    const take = async (shares: FairShares): Promise<void> => {
      const share = await shares.take(sharer, { signal });
      taken.push(share);
      if (!signal.aborted) return;
      share.giveBack();
      throw signal.reason as Error;
    };
    try {
      if (isSmall(bodyLength)) {
        await take(this.#bodies);
        const body = await readSmallBody(request.raw, { silenceMsMax: upstream.timeoutMs, signal });
        await take(turns.requests);
        new Exchange(waiting, { body }).start();
      } else {
        await take(bodyLength === 'none' ? turns.requests : turns.streams);
        const body = bodyLength === 'none' ? null : new RequestBody(request.raw, upstream.timeoutMs);
        new Exchange(waiting, { body }).start();
      }
    } catch (error) {
      if (!signal.aborted && !reply.sent) reply.send(refusalOf(error));
    }
  }
}

function isSmall(bodyLength: BodyLength): boolean {
  return bodyLength !== 'none' && bodyLength !== 'chunked' && Number(bodyLength) <= smallBodyBytesMax;
}

function refusalOf(error: unknown): unknown {
  if (error instanceof NoShareError) return noTurn(error);
  return error instanceof ClientSilent ? requestTimeout() : error;
}
