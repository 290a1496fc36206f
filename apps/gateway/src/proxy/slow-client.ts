import type { ServerResponse } from 'node:http';
import type { Share } from '@tenantry/fair-shares';
import type { Dispatcher } from 'undici';

/** Limits on a client that reads slowly. */
export interface SlowClientOptions {
  readonly response: ServerResponse;
  /** Takes memory for what the client has not taken, in bytes; undefined where it has its part already. */
  readonly takeUnread: (size: number) => Share | undefined;
  /** How long it may read nothing. */
  readonly patienceMs: number;
}

/** A client that does not take its answer as fast as it comes: what waits for it is held in memory, and the service waits. */
export class SlowClient {
  readonly #options: SlowClientOptions;
  #unread: Share | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: SlowClientOptions) {
    this.#options = options;
  }

  /**
   * Called whenever something waits to be taken. The connection is ended when the client has too much of that.
   *
   * @param controller of what is still to come; undefined when all of it is written
   */
  holdBack(controller?: Dispatcher.DispatchController): void {
    const { response, takeUnread, patienceMs } = this.#options;
    this.#unread ??= takeUnread(response.writableLength);
    if (!this.#unread) {
      response.socket?.resetAndDestroy();
      return;
    }
    if (!controller || controller.paused) return;
    controller.pause();
    this.#patience = setTimeout(() => response.socket?.resetAndDestroy(), patienceMs);
    response.once('drain', () => {
      this.letGo();
      controller.resume();
    });
  }

  /** Called when the client has read everything, or has disconnected. */
  letGo(): void {
    clearTimeout(this.#patience);
    this.#unread?.giveBack();
    this.#unread = undefined;
  }
}
