import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Silence } from './silence.ts';

/** The client has stopped sending in the middle of its request. */
export class ClientSilent extends Error {
  readonly code = 'CLIENT_SILENT';
}

/**
 * The body of a client's request, for undici.
 *
 * undici destroys the stream that it sends, but the client's connection has to stay open: the rest of the body is then read and
 * dropped, so that the next request on the connection is found. Nothing is read before the service is connected: until then
 * another address can still be tried.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #silenceMsMax: number;
  #silence: Silence | undefined;

  constructor(request: IncomingMessage, silenceMsMax: number) {
    // Enough to keep the connection busy; request and connection have their own buffers.
    super({ highWaterMark: 16 * 1024 });
    this.#request = request;
    this.#silenceMsMax = silenceMsMax;
  }

  override _read(): void {
    if (this.#silence) this.#silence.refresh();
    else this.#begin();
    this.#request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#silence?.stop();
    this.#request.off('data', this.#onData).off('end', this.#onEnd).resume();
    done(error);
  }

  #begin(): void {
    this.#silence = new Silence(this.#silenceMsMax, () => {
      // While paused, the service is slow, not the client.
      if (!this.#request.isPaused()) this.destroy(new ClientSilent('the client stopped sending'));
    });
    this.#request.on('data', this.#onData).on('end', this.#onEnd);
  }

  readonly #onData = (piece: Buffer): void => {
    if (!this.push(piece)) this.#request.pause();
  };

  readonly #onEnd = (): void => {
    this.#silence?.stop();
    this.push(null);
  };
}
