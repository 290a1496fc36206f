import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';

/** How one GET is made. */
export interface GetOptions {
  /** Milliseconds for the whole exchange, body included. */
  readonly timeoutMs: number;
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
  /** Whether the exchange keeps the process alive until it is over. */
  readonly holdsProcess: boolean;
}

/** An answer other than 200. */
export class UnexpectedStatus extends Error {
  override readonly name = 'UnexpectedStatus';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answered ${status} instead of 200`);
    this.status = status;
  }
}

/**
 * GETs a JSON document from exactly this address: no redirect is followed.
 *
 * `fetch` would do but for one thing: its sockets keep a process alive, and a poll that waits in the
 * background must not.
 */
export async function getJson(url: string, options: GetOptions): Promise<unknown> {
  const { timeoutMs, bodyBytesMax, signal, holdsProcess } = options;
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  // Caches on the way would delay the news that a key is gone.
  const request = send(url, { signal, headers: { accept: 'application/json', 'cache-control': 'no-cache' } });
  let late: Error | undefined;
  const timer = setTimeout(() => {
    late = new Error(`${url} did not answer within ${timeoutMs} ms`);
    request.destroy(late);
  }, timeoutMs);
  if (!holdsProcess) {
    timer.unref();
    request.on('socket', (socket) => socket.unref());
  }
  try {
    const response = await answerTo(request);
    if (response.statusCode === 200) return JSON.parse(await readBody(response, bodyBytesMax));
    response.destroy();
    throw new UnexpectedStatus(url, response.statusCode ?? 0);
  } catch (error) {
    // A body that is cut off by the timer reports only that it was cut off.
    throw late ?? error;
  } finally {
    clearTimeout(timer);
  }
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve).on('error', reject).end();
  });
}

async function readBody(response: IncomingMessage, bodyBytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop destroys the response.
    if (bytes > bodyBytesMax) throw new Error(`the answer is larger than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
