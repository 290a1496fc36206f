/** How the end of a body is found: RFC 9112, 6.3. */
export type BodyFraming = 'none' | 'length' | 'chunked' | 'until-close';

/** The head of an answer, reduced to what may travel on. */
export interface ResponseHead {
  readonly status: number;
  /** Names and values in turn, hop-by-hop fields removed. */
  readonly headers: string[];
  readonly framing: BodyFraming;
  /** Bytes of the body when framing is `length`. */
  readonly contentLength: number;
  /** Whether the connection may carry another request. */
  readonly keepAlive: boolean;
}

/** The other side does not speak HTTP/1.1, or speaks it ambiguously. */
export class InvalidResponse extends Error {
  readonly code = 'INVALID_RESPONSE';
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\n\0]*)?$/;
const digits = /^\d{1,15}$/;

/**
 * Reads the head of an answer (without its final empty line).
 *
 * Stricter than RFC 9112 allows a client to be: an answer that two readers could frame differently is refused.
 * The bytes of names and values are checked where they are written, by Node.js.
 *
 * @throws {InvalidResponse}
 */
export function parseResponseHead(text: string, method: string): ResponseHead {
  const firstLineEnd = text.indexOf('\r\n');
  const start = statusLine.exec(firstLineEnd < 0 ? text : text.slice(0, firstLineEnd));
  if (!start) throw new InvalidResponse('the status line is malformed');
  const status = Number(start[2]);

  const headers: string[] = [];
  let connection = '';
  let transferEncoding: string | undefined;
  let contentLength: string | undefined;
  for (let end = firstLineEnd; end >= 0 && end < text.length;) {
    const begin = end + 2;
    end = text.indexOf('\r\n', begin);
    if (end < 0) end = text.length;
    const colon = text.indexOf(':', begin);
    if (colon <= begin || colon >= end) throw new InvalidResponse('a header line is malformed');
    const name = text.slice(begin, colon);
    const value = text.slice(colon + 1, end).trim();
    switch (name.toLowerCase()) {
      case 'connection':
        connection = connection === '' ? value.toLowerCase() : `${connection},${value.toLowerCase()}`;
        break;
      case 'transfer-encoding':
        transferEncoding = transferEncoding === undefined ? value : `${transferEncoding},${value}`;
        break;
      case 'content-length':
        if (contentLength !== undefined && contentLength !== value) {
          throw new InvalidResponse('two different lengths');
        }
        contentLength = value;
        break;
      // RFC 9110, 7.6.1. Trailer goes because trailers are dropped.
      case 'keep-alive':
      case 'proxy-connection':
      case 'proxy-authenticate':
      case 'te':
      case 'trailer':
      case 'upgrade':
        break;
      default:
        headers.push(name, value);
    }
  }

  const framing = framingOf({ method, status, version: start[1] === '1', transferEncoding, contentLength });
  if (contentLength !== undefined && status !== 204) headers.push('content-length', contentLength);
  return {
    status,
    headers: isPlainConnection(connection) ? headers : withoutNamed(headers, connection),
    framing,
    contentLength: framing === 'length' ? Number(contentLength) : 0,
    keepAlive: start[1] === '1' && framing !== 'until-close' && !connection.includes('close'),
  };
}

interface FramingFacts {
  readonly method: string;
  readonly status: number;
  readonly version: boolean;
  readonly transferEncoding: string | undefined;
  readonly contentLength: string | undefined;
}

function framingOf({ method, status, version, transferEncoding, contentLength }: FramingFacts): BodyFraming {
  if (contentLength !== undefined && !digits.test(contentLength)) {
    throw new InvalidResponse('Content-Length is not a number');
  }
  if (transferEncoding !== undefined) {
    if (!version || transferEncoding.toLowerCase() !== 'chunked') {
      throw new InvalidResponse('only the transfer coding "chunked" is understood');
    }
    if (contentLength !== undefined) throw new InvalidResponse('both Transfer-Encoding and Content-Length');
  }
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 'none';
  if (transferEncoding !== undefined) return 'chunked';
  if (contentLength === undefined) return 'until-close';
  return contentLength === '0' ? 'none' : 'length';
}

const isPlainConnection = (value: string) => value === '' || value === 'keep-alive' || value === 'close';

function withoutNamed(headers: readonly string[], connection: string): string[] {
  const named = new Set(connection.split(',').map((name) => name.trim()));
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? '';
    const lower = name.toLowerCase();
    if (lower === 'content-length' || !named.has(lower)) kept.push(name, headers[index + 1] ?? '');
  }
  return kept;
}
