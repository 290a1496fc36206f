/** What a client's header lines come to. */
export interface ClientHeaders {
  /** The fields that travel on, names and values in turn. */
  readonly kept: string[];
  /** Whether there is a Cookie, which never travels on as it is. */
  readonly hasCookie: boolean;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly body: BodyLength;
  readonly requestId: string | undefined;
  readonly traceparent: string | undefined;
  /** As a proxy in front of the gateway says; to be believed only of a trusted one. */
  readonly forwarded: ForwardedByPeer;
}

/** The X-Forwarded fields of a request as received. */
export interface ForwardedByPeer {
  readonly for: string | undefined;
  readonly proto: string | undefined;
  readonly host: string | undefined;
}

/** How long the request body is: absent, a number of bytes as text, or unknown. */
export type BodyLength = 'none' | 'chunked' | (string & {});

/** A request that could be read in two ways. */
export class AmbiguousRequest extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Fields that end at the gateway: those of one connection (RFC 9110, 7.6.1), Expect, which the gateway has
 * answered by then, and those that only the gateway may set.
 */
const ended = new Set([
  'connection',
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
]);
const endedPrefixes = ['x-user-', 'x-organization-', 'x-forwarded-'];

const validHost = /^[A-Za-z0-9.\-_:[\]]{1,255}$/;

/**
 * Sorts a request's raw header lines into those that travel on and those that end here.
 *
 * @throws {AmbiguousRequest} for more than one Host, or a transfer coding that is not plainly "chunked"
 *   (RFC 9112, 6.1 and 11.2: what two readers may frame differently smuggles requests).
 */
export function readClientHeaders(raw: readonly string[]): ClientHeaders {
  const named = connectionOptions(raw);
  const kept: string[] = [];
  let host: string | undefined;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let requestId: string | undefined;
  let traceparent: string | undefined;
  let hasCookie = false;
  let origin: string | undefined;
  const tracestate: string[] = [];
  const forwarded: { -readonly [Field in keyof ForwardedByPeer]: string | undefined } = {
    for: undefined,
    proto: undefined,
    host: undefined,
  };

  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    const value = raw[index + 1] ?? '';
    const lower = name.toLowerCase();
    switch (lower) {
      case 'host':
        if (host !== undefined) throw new AmbiguousRequest('host', 'must be given once');
        host = value;
        break;
      case 'content-length':
        if (contentLength !== undefined) throw new AmbiguousRequest('content-length', 'must be given once');
        contentLength = value;
        break;
      case 'transfer-encoding':
        if (transferEncoding !== undefined) throw new AmbiguousRequest(lower, 'must be given once');
        transferEncoding = value;
        break;
      case 'cookie':
        hasCookie = true;
        break;
      case 'origin':
        origin = value;
        kept.push(name, value);
        break;
      case 'x-request-id':
        requestId = value;
        break;
      case 'traceparent':
        // More than one is none: W3C Trace Context, 3.2.1.
        traceparent = traceparent === undefined ? value : '';
        break;
      case 'tracestate':
        tracestate.push('tracestate', value);
        break;
      case 'x-forwarded-for':
        forwarded.for = forwarded.for === undefined ? value : `${forwarded.for},${value}`;
        break;
      case 'x-forwarded-proto':
        forwarded.proto = value;
        break;
      case 'x-forwarded-host':
        forwarded.host = value;
        break;
      default:
        if (ended.has(lower) || isEndedByPrefix(lower) || named?.has(lower)) break;
        kept.push(name, value);
    }
  }

  if (host !== undefined && !validHost.test(host)) throw new AmbiguousRequest('host', 'is not a host name');
  const traced = traceparent !== undefined && isTraceparent(traceparent);
  if (traced) kept.push(...tracestate);
  return {
    kept,
    hasCookie,
    origin,
    host,
    body: bodyLength(transferEncoding, contentLength),
    requestId,
    traceparent: traced ? traceparent : undefined,
    forwarded,
  };
}

function bodyLength(transferEncoding: string | undefined, contentLength: string | undefined): BodyLength {
  if (transferEncoding === undefined) {
    return contentLength === undefined || contentLength === '0' ? 'none' : contentLength;
  }
  if (contentLength !== undefined) {
    throw new AmbiguousRequest('content-length', 'must not be given beside Transfer-Encoding');
  }
  if (transferEncoding.toLowerCase() !== 'chunked') {
    throw new AmbiguousRequest('transfer-encoding', 'must be "chunked"');
  }
  return 'chunked';
}

const isEndedByPrefix = (lower: string): boolean =>
  lower.startsWith('x-') && endedPrefixes.some((prefix) => lower.startsWith(prefix));

/** The fields that Connection names; undefined in the ordinary case that it names none. */
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

const traceparentShape = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** W3C Trace Context, 3.2: version, trace id, parent id, flags; all-zero ids are invalid. */
export function isTraceparent(value: string): boolean {
  return traceparentShape.test(value);
}
