import { Agent, request as httpRequest, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { patience } from '@tenantry/test-kit';

/** A request as it goes over the wire: nothing is encoded, added or corrected. */
export interface WireRequest {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: string | Buffer | undefined;
}

/** An answer as it came. */
export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const agent = new Agent({ keepAlive: true });
const timeoutMs = patience();

/** Sends one request and waits for the whole answer. */
export function send(origin: string, { method, path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(origin);
  const request = httpRequest({
    ...{ agent, hostname, port, method, path },
    // One browser, one phone: sessions are bound to what they were opened with.
    headers: { 'user-agent': 'matrix', ...lengthOf(body), ...headers },
  });
  request.setTimeout(timeoutMs, () => request.destroy(new Error(`${method} ${path} got no answer`)));
  const answer = answerTo(request);
  request.end(body);
  return answer;
}

/** The whole answer to a request, which may still be sending its body. */
export function answerTo(request: ClientRequest): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    // A service that has answered may close the connection before the rest is sent.
    request.once('error', reject);
    request.once('response', (response) => {
      request.off('error', reject).on('error', () => undefined);
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, headers, text: Buffer.concat(chunks).toString() });
      });
    });
  });
}

/** Node leaves it out where a method usually has no body. */
const lengthOf = (body: WireRequest['body']) =>
  body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };

/** An answer without what differs between any two: when it was given, and its id. */
export function comparable({ status, headers, text }: WireAnswer): object {
  return {
    status,
    headers: { ...headers, date: undefined, 'x-request-id': undefined },
    text: text.replaceAll(/"(requestId|timestamp)":"[^"]*"/g, '"$1":"…"'),
  };
}
