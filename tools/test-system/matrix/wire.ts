import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';

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
const timeoutMs = 30_000;

/** Sends one request and waits for the whole answer. */
export function send(origin: string, { method, path, headers = {}, body }: WireRequest): Promise<WireAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      // One browser, one phone: sessions are bound to what they were opened with.
      {
        agent,
        hostname,
        port,
        method,
        path,
        headers: { 'user-agent': 'matrix', ...lengthOf(body), ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`${method} ${path} got no answer`)));
    request.once('error', reject);
    request.end(body);
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
