import { ApiError, invalidField } from '@tenantry/envelope';

/** A client's headers, sorted. */
export interface ClientHeaders {
  /** The fields that are forwarded, names and values in turn. */
  readonly kept: string[];
  readonly body: BodyLength;
  /** W3C Trace Context as received; trusted only from a trusted proxy. */
  readonly trace: ReceivedTrace;
}

/** The trace headers of a request. */
export interface ReceivedTrace {
  readonly traceparent: string | undefined;
  readonly tracestate: readonly string[];
}

/** The length of the request body: absent, a number of bytes as text, or unknown. */
export type BodyLength = 'none' | 'chunked' | (string & {});

/** The error for an ambiguous request; no further request is read from its connection. */
function ambiguous(field: string, message: string): ApiError {
  const { details, message: text } = invalidField({ field, rule: 'wellFormed', message });
  return new ApiError('VALIDATION_ERROR', text, { details, headers: { connection: 'close' } });
}

/**
 * Fields that are not forwarded: those of one connection (RFC 9110, 7.6.1), Expect, which the gateway has handled, cookies, and
 * those that only the gateway may set.
 */
const ended = new Set([
  'connection',
  'cookie',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'forwarded',
  'x-real-ip',
  'x-request-id',
]);
const endedPrefixes = ['x-user-', 'x-organization-', 'x-forwarded-'];

const hostShape = /^[A-Za-z0-9.\-_:[\]]{1,255}$/;

/**
 * Separates a request's raw header lines into those that are forwarded and those that are not.
 *
 * @throws ApiError VALIDATION_ERROR, and the connection is to be closed, for more than one Host, a transfer coding other than
 * "chunked", or any in HTTP/1.0 (RFC 9112, 6.1 and 11.2: ambiguous framing allows request smuggling).
 */
export function readClientHeaders(raw: readonly string[], httpVersion = '1.1'): ClientHeaders {
  const named = connectionOptions(raw);
  const kept: string[] = [];
  const tracestate: string[] = [];
  let host: string | undefined;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let traceparent: string | undefined;

  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = name.toLowerCase();
    switch (lower) {
      case 'host':
        if (host !== undefined) throw ambiguous('host', 'must be given once');
        host = value;
        break;
      case 'content-length':
        if (contentLength !== undefined) throw ambiguous('content-length', 'must be given once');
        contentLength = value;
        break;
      case 'transfer-encoding':
        if (transferEncoding !== undefined) throw ambiguous(lower, 'must be given once');
        if (httpVersion === '1.0') throw ambiguous(lower, 'must not be sent in HTTP/1.0');
        transferEncoding = value;
        break;
      case 'traceparent':
        // More than one counts as none: W3C Trace Context, 3.2.1.
        traceparent = traceparent === undefined ? value : '';
        break;
      case 'tracestate':
        tracestate.push(lower, value);
        break;
      default:
        if (ended.has(lower) || isEndedByPrefix(lower) || named?.has(lower)) break;
        kept.push(name, value);
    }
  }

  if (host !== undefined && !isHost(host)) throw ambiguous('host', 'is not a host name');
  return { kept, body: bodyLength(transferEncoding, contentLength), trace: { traceparent, tracestate } };
}

/** Whether a text is a syntactically valid Host. */
export function isHost(text: string): boolean {
  return hostShape.test(text);
}

function bodyLength(transferEncoding: string | undefined, contentLength: string | undefined): BodyLength {
  if (transferEncoding === undefined) {
    return contentLength === undefined || contentLength === '0' ? 'none' : contentLength;
  }
  if (contentLength !== undefined) {
    throw ambiguous('content-length', 'must not be given beside Transfer-Encoding');
  }
  if (transferEncoding.toLowerCase() !== 'chunked') {
    throw ambiguous('transfer-encoding', 'must be "chunked"');
  }
  return 'chunked';
}

const isEndedByPrefix = (lower: string): boolean =>
  lower.startsWith('x-') && endedPrefixes.some((prefix) => lower.startsWith(prefix));

/** The fields listed in Connection; undefined in the usual case that there are none. */
function connectionOptions(raw: readonly string[]): Set<string> | undefined {
  let options: Set<string> | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length !== 10 || name.toLowerCase() !== 'connection') continue;
    const value = (raw[index + 1] ?? '').toLowerCase();
    if (value === 'keep-alive' || value === 'close') continue;
    options ??= new Set();
    for (const option of value.split(',')) options.add(option.trim());
  }
  return options;
}
