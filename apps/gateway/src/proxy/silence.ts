/**
 * Calls back once a client has sent nothing for so long. If it was the process that stood still, what arrived meanwhile is read
 * first: a turn of the event loop runs its timers before it reads sockets.
 */
export class Silence {
  readonly #timer: NodeJS.Timeout;
  #end: NodeJS.Immediate | undefined;

  constructor(msMax: number, onEnd: () => void) {
    this.#timer = setTimeout(() => {
      this.#end = setImmediate(onEnd);
    }, msMax);
  }

  /** The client has been heard. */
  refresh(): void {
    clearImmediate(this.#end);
    this.#timer.refresh();
  }

  /** Nothing more is expected of the client. */
  stop(): void {
    clearImmediate(this.#end);
    clearTimeout(this.#timer);
  }
}
