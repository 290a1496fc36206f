import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { bodyTimeoutMs, lateAnswer, readBody, UnexpectedStatus, type GetOptions } from './http-get.ts';

/**
 * GETs a JSON document with node:http, because the sockets of `fetch` keep a process alive, and a poll in the background must
 * not.
 */
export async function getJson(url: string, options: GetOptions): Promise<unknown> {
  const { timeoutMs, bodyBytesMax, headers, signal, holdsProcess, freshConnection } = options;
  const send = url.startsWith('https:') ? requestHttps : requestHttp;
  const request = send(url, {
    ...(signal && { signal }),
    // A cache in between would delay the withdrawal of a key.
    headers: { accept: 'application/json', 'cache-control': 'no-cache', ...headers },
    ...(freshConnection === true && { agent: false }),
  });
  let late: Error | undefined;
  const cutIn = (ms: number): NodeJS.Timeout => {
    const timer = setTimeout(() => request.destroy((late = lateAnswer(url))), ms);
    return holdsProcess ? timer : timer.unref();
  };
  let timer = cutIn(timeoutMs);
  if (!holdsProcess) request.on('socket', (socket) => socket.unref());
  try {
    const response = await answerTo(request);
    clearTimeout(timer);
    timer = cutIn(bodyTimeoutMs);
    if (response.statusCode === 200) return JSON.parse(await readBody(url, response, bodyBytesMax));
    response.destroy();
    throw new UnexpectedStatus(url, response.statusCode ?? 0);
  } catch (error) {
    // The error of a body that the timer interrupts says only that it was interrupted.
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
