/** How one GET is made. */
export interface GetOptions {
  /** Milliseconds until the answer begins; its body then has {@link bodyTimeoutMs}. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Whether the exchange keeps the process alive until it has ended, where a runtime lets one choose. */
  readonly holdsProcess: boolean;
  /** On a connection of its own: one that was kept open may have lost its other end without a word. */
  readonly freshConnection?: boolean;
}

/** Milliseconds in which a body must have arrived once the answer has begun. */
export const bodyTimeoutMs = 5000;

/** An address as a log may show it: without a password or a query. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** An answer other than 200. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${shownAddress(url)} answered ${status} instead of 200`);
    this.status = status;
  }
}

/** An answer that did not come in time. */
export function lateAnswer(url: string): Error {
  return new Error(`${shownAddress(url)} did not answer in time`);
}

/** An answer that is larger than what is asked for can be. */
export function oversizedAnswer(url: string, bodyBytesMax: number): Error {
  return new Error(`${shownAddress(url)} answered with more than ${bodyBytesMax} bytes`);
}
