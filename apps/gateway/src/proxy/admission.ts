import { NoShareError, type Share } from '@tenantry/fair-shares';
import { requestTimeout } from '@tenantry/service/http';
import { sharerOf, type Caller } from '../callers/caller.ts';
import { smallBodyBytesMax, type ServiceTurns, type SharedMemory } from '../turns/turns.ts';
import { Exchange, type Admitted, type ForwardedRequest } from './exchange.ts';
import { noTurn } from './refusals.ts';
import { ClientSilent, RequestBody } from './request-body.ts';
import type { BodyLength } from './request-headers.ts';
import { readSmallBody } from './small-body.ts';

/** A request that waits for its turn. */
export interface WaitingRequest extends ForwardedRequest {
  readonly caller: Caller;
  readonly bodyLength: BodyLength;
}

/**
 * Admits requests to a service in turn. A small body is received before its request takes a turn, so that a slow client delays
 * no others; a large one, or one of unknown length, is streamed, and there are fewer turns for those.
 *
 * A request releases its turn and memory when it has ended: answered, refused or aborted.
 */
export class Admission {
  readonly #memory: SharedMemory;

  /** @param memory of all services together */
  constructor(memory: SharedMemory) {
    this.#memory = memory;
  }

  /** Eventually responds to the request. */
  admit(waiting: WaitingRequest, turns: ServiceTurns): void {
    // The client may have disconnected during the limit checks, and there is no further event.
    if (waiting.reply.raw.destroyed) return;
    const share = waiting.bodyLength === 'none' && turns.requests.takeNow(sharerOf(waiting.caller));
    if (!share) {
      void this.#admitInTurn(waiting, turns);
      return;
    }
    this.#start(waiting, null, () => share.giveBack());
  }

  async #admitInTurn(waiting: WaitingRequest, turns: ServiceTurns): Promise<void> {
    const { request, reply, caller, bodyLength, upstream } = waiting;
    const { raw } = request;
    const { timeoutMs: silenceMsMax } = upstream;
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
      const body = room ? await readSmallBody(raw, { silenceMsMax, signal }) : null;
      const streams = !room && bodyLength !== 'none';
      const share = await (streams ? turns.streams : turns.requests).take(sharerOf(caller), { signal });
      taken.push(share);
      if (signal.aborted) share.giveBack();
      else this.#start(waiting, streams ? new RequestBody(raw, silenceMsMax) : body);
    } catch (error) {
      if (!signal.aborted && !reply.sent) reply.send(refusalOf(error));
    }
  }

  #start(waiting: WaitingRequest, body: Admitted['body'], onClose?: () => void): void {
    const takeUnread = (size: number) => this.#memory.answers.takeNow(sharerOf(waiting.caller), { size });
    new Exchange(waiting, { body, takeUnread, onClose }).start();
  }

  #roomFor(caller: Caller, size: number): Share {
    const { bodies } = this.#memory;
    const room = bodies.takeNow(sharerOf(caller), { size });
    if (!room) throw new NoShareError(bodies.name, 'full');
    return room;
  }
}

function isSmall(bodyLength: BodyLength): boolean {
  return bodyLength !== 'none' && bodyLength !== 'chunked' && Number(bodyLength) <= smallBodyBytesMax;
}

function refusalOf(error: unknown): unknown {
  if (error instanceof NoShareError) return noTurn(error);
  return error instanceof ClientSilent ? requestTimeout() : error;
}
