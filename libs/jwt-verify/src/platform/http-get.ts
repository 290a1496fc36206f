/** Options of a GET. */
export interface GetOptions {
  /** Milliseconds until the response begins; its body then has {@link bodyTimeoutMs}. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request keeps the process alive until it has ended, if the runtime allows a choice. */
  readonly holdsProcess: boolean;
  /** Use a new connection: one that was kept open may be dead. */
  readonly freshConnection?: boolean;
}

/** Milliseconds in which the body must arrive once the response has begun. */
export const bodyTimeoutMs = 5000;

/** An address as a log may show it: without a password or a query. */
export function shownAddress(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** A response other than 200. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${shownAddress(url)} answered ${status} instead of 200`);
    this.status = status;
  }
}

/** A response that did not arrive in time. */
export function lateAnswer(url: string): Error {
  return new Error(`${shownAddress(url)} did not answer in time`);
}

/** Reads a body as text, or throws if it is larger than expected. */
export async function readBody(
  url: string,
  body: AsyncIterable<Uint8Array>,
  bodyBytesMax: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop ends the response.
    if (bytes > bodyBytesMax)
      throw new Error(`${shownAddress(url)} answered with more than ${bodyBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
