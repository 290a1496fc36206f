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
  /** Memory for small bodies, of all services together. */
  readonly bodyMemory: FairShares;
}

/**
 * Lets requests through to a service in turn. A small body arrives before its request takes a turn, so that a slow client
 * holds up nothing; a large one, or one of unknown length, is passed on as it arrives, and there are fewer turns for those.
 *
 * What a request has taken it gives back when its connection is through with it: answered, refused or gone.
 */
export class Admission {
  readonly #bodyMemory: FairShares;

  constructor({ bodyMemory }: AdmissionOptions) {
    this.#bodyMemory = bodyMemory;
  }

  /** Answers the request, sooner or later. */
  admit(waiting: WaitingRequest, turns: ServiceTurns): void {
    // Limits may have been asked for: a client that has gone since tells nobody again.
    if (waiting.reply.raw.destroyed) return;
    const share = waiting.bodyLength === 'none' && turns.requests.takeNow(sharerOf(waiting.caller));
    if (!share) {
      void this.#admitInTurn(waiting, turns);
      return;
    }
    new Exchange(waiting, { body: null, onClose: () => share.giveBack() }).start();
  }

  async #admitInTurn(waiting: WaitingRequest, turns: ServiceTurns): Promise<void> {
    const { reply, caller, bodyLength } = waiting;
    const through = new AbortController();
    const { signal } = through;
    const taken: Share[] = [];
    reply.raw.once('close', () => {
      through.abort(new Error('the client has gone, or was refused'));
      for (const share of taken) share.giveBack();
    });
    try {
      const room = isSmall(bodyLength) ? this.#roomFor(caller, Number(bodyLength)) : undefined;
      if (room) taken.push(room);
      const body = room ? await this.#bodyOf(waiting, signal) : null;
      const streams = !room && bodyLength !== 'none';
      const share = await (streams ? turns.streams : turns.requests).take(sharerOf(caller), { signal });
      taken.push(share);
      if (signal.aborted) share.giveBack();
      else new Exchange(waiting, { body: streams ? this.#streamOf(waiting) : body }).start();
    } catch (error) {
      if (!signal.aborted && !reply.sent) reply.send(refusalOf(error));
    }
  }

  #roomFor(caller: Caller, size: number): Share {
    const room = this.#bodyMemory.takeNow(sharerOf(caller), { size });
    if (!room) throw new NoShareError(this.#bodyMemory.name, 'full');
    return room;
  }

  #bodyOf({ request, upstream }: WaitingRequest, signal: AbortSignal): Promise<Buffer> {
    return readSmallBody(request.raw, { silenceMsMax: upstream.timeoutMs, signal });
  }

  #streamOf({ request, upstream }: WaitingRequest): RequestBody {
    return new RequestBody(request.raw, upstream.timeoutMs);
  }
}

function isSmall(bodyLength: BodyLength): boolean {
  return bodyLength !== 'none' && bodyLength !== 'chunked' && Number(bodyLength) <= smallBodyBytesMax;
}

function refusalOf(error: unknown): unknown {
  if (error instanceof NoShareError) return noTurn(error);
  return error instanceof ClientSilent ? requestTimeout() : error;
}
