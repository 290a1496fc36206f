import type { ServerResponse } from 'node:http';
import type { Share } from '@tenantry/fair-shares';
import type { Dispatcher } from 'undici';

/** Limits on a client that reads slowly. */
export interface SlowClientOptions {
  readonly response: ServerResponse;
  /** Reserves memory for unread bytes; undefined if the client has reached its limit. */
  readonly takeUnread: (size: number) => Share | undefined;
  /** Maximum time without reading. */
  readonly patienceMs: number;
}

/**
 * A client that reads its response more slowly than it arrives: unread bytes are held in memory, and the service has to wait.
 */
export class SlowClient {
  readonly #options: SlowClientOptions;
  #unread: Share | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: SlowClientOptions) {
    this.#options = options;
  }

  /**
   * Called whenever bytes are waiting. The connection is closed if there are too many.
   *
   * @param controller pauses the rest; undefined if everything is written
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
      this.release();
      controller.resume();
    });
  }

  /** Called when the client has read everything, or has disconnected. */
  release(): void {
    clearTimeout(this.#patience);
    this.#unread?.giveBack();
    this.#unread = undefined;
  }
}
