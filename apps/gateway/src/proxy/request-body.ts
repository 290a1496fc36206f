import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A client that has stopped sending in the middle of its request. */
export class ClientSilent extends Error {
  readonly code = 'CLIENT_SILENT';
}

/**
 * The body of a client's request, as undici is given it.
 *
 * undici destroys the stream that it sends, and the client's connection has to outlive that: what is left of the
 * body is then read and dropped, so that the next request on the connection is found. Nothing is read before the
 * service is connected: until then another address can still be tried.
 */
export class RequestBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #silenceMsMax: number;
  #silence: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, silenceMsMax: number) {
    // Enough to keep the connection busy; the request and the connection have buffers of their own.
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
    clearTimeout(this.#silence);
    this.#request.off('data', this.#onData).off('end', this.#onEnd).resume();
    done(error);
  }

  #begin(): void {
    this.#silence = setTimeout(() => {
      // While paused it is the service that is waited for.
      if (!this.#request.isPaused()) this.destroy(new ClientSilent('the client stopped sending'));
    }, this.#silenceMsMax);
    this.#request.on('data', this.#onData).on('end', this.#onEnd);
  }

  readonly #onData = (piece: Buffer): void => {
    if (!this.push(piece)) this.#request.pause();
  };

  readonly #onEnd = (): void => {
    clearTimeout(this.#silence);
    this.push(null);
  };
}
