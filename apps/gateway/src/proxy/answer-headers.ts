import type { IncomingHttpHeaders, OutgoingHttpHeader } from 'node:http';
import { InvalidResponse } from '../upstream/failure.ts';

/**
 * Fields that end at the gateway: those of one connection (RFC 9110, 7.6.1; Trailer, because trailers are dropped),
 * and what the gateway says itself: the request id, and which origins may read the answer.
 */
const ended = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-request-id',
]);

/**
 * The fields of a service's answer that travel on, names and values in turn.
 *
 * @throws {InvalidResponse} for a transfer coding that is not plainly "chunked", or a status that means nothing.
 */
export function answerHeaders(status: number, received: IncomingHttpHeaders): OutgoingHttpHeader[] {
  if (status > 599) throw new InvalidResponse('the status is above 599');
  const coding = received['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw new InvalidResponse('only the transfer coding "chunked" is understood');
  }
  const named = connectionOptions(received.connection);
  const kept: OutgoingHttpHeader[] = [];
  for (const name in received) {
    const value = received[name];
    if (value === undefined || ended.has(name) || named?.has(name)) continue;
    // RFC 9110, 8.6.
    if (status === 204 && name === 'content-length') continue;
    kept.push(name, value);
  }
  return kept;
}

/** The fields that Connection names; undefined in the ordinary case that it names none. */
function connectionOptions(value: string | string[] | undefined): Set<string> | undefined {
  if (value === undefined || value === 'keep-alive' || value === 'close') return undefined;
  const options = new Set(
    String(value)
      .toLowerCase()
      .split(',')
      .map((option) => option.trim()),
  );
  // The length says where the answer ends, whoever names it.
  options.delete('content-length');
  return options;
}
