import { request as requestHttp, type IncomingMessage } from 'node:http';
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
  const deadline = new AbortController();
  const timer = setTimeout(() => {
    deadline.abort(new Error(`${url} did not answer within ${options.timeoutMs} ms`));
  }, options.timeoutMs);
  if (!options.holdsProcess) timer.unref();
  const signal = AbortSignal.any([deadline.signal, options.signal]);
  try {
    const response = await get(url, signal, options.holdsProcess);
    if (response.statusCode !== 200) {
      response.destroy();
      throw new UnexpectedStatus(url, response.statusCode ?? 0);
    }
    return JSON.parse(await readBody(response, options.bodyBytesMax));
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

function get(url: string, signal: AbortSignal, holdsProcess: boolean): Promise<IncomingMessage> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  // Caches on the way would delay the news that a key is gone.
  const headers = { accept: 'application/json', 'cache-control': 'no-cache' };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { signal, headers }, resolve);
    outgoing.on('error', reject);
    if (!holdsProcess) outgoing.on('socket', (socket) => socket.unref());
    outgoing.end();
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
