import { request as httpRequest } from 'node:http';
import { answerTo, type WireAnswer, type WireRequest } from './wire.ts';

/** A request whose headers and half of whose body have been sent. */
export interface ParkedRequest {
  /** Sends the rest, and waits for the whole answer. */
  finish(): Promise<WireAnswer>;
}

/** A known length lets a gateway receive a body before it passes it on; a body of unknown length is streamed. */
export type BodyLength = 'known' | 'unknown';

/** Sends a request up to the middle of its body, on a connection of its own. */
export async function park(
  origin: string,
  { method, path, headers = {}, body = '' }: WireRequest,
  length: BodyLength,
): Promise<ParkedRequest> {
  const { hostname, port } = new URL(origin);
  const bytes = Buffer.from(body);
  const framing =
    length === 'known' ? { 'content-length': bytes.length } : { 'transfer-encoding': 'chunked' };
  const request = httpRequest({
    ...{ agent: false, hostname, port, method, path },
    headers: { 'user-agent': 'matrix', ...framing, ...headers },
  });
  const answer = answerTo(request);
  // Awaited by `finish`; it may have failed before.
  answer.catch(() => undefined);
  const middle = Math.ceil(bytes.length / 2);
  await new Promise((sent) => request.write(bytes.subarray(0, middle), sent));
  return {
    finish() {
      request.end(bytes.subarray(middle));
      return answer;
    },
  };
}
