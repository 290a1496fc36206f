import type { IncomingHttpHeaders } from 'node:http';
import { constants, gzipSync } from 'node:zlib';

/** The parts of a response that decide whether it is compressed. */
export interface CompressibleAnswer {
  readonly method: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Below one packet nothing is gained. */
const bytesMin = 1_400;
/** A larger one would have to be streamed through the compressor. */
const bytesMax = 256 * 1024;

const textTypes =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|xml)|application\/[\w.+-]+\+(?:json|xml)|image\/svg\+xml)/i;

/** Each says that the bytes are as they must stay: encoded, a part, digested, or compared by a strong entity tag. */
const fieldsAgainst = [
  'content-encoding',
  'content-range',
  'accept-ranges',
  'content-digest',
  'repr-digest',
  'digest',
  // A cookie may be a secret, which the length of compressed text beside it can reveal (BREACH).
  'set-cookie',
] as const;

/**
 * Whether an answer may be compressed for a client that accepts it: text of a known length that arrives whole. What is
 * streamed is passed on as it comes, and answers with a strong entity tag must keep it for If-Match.
 */
export function isCompressible({ method, status, headers }: CompressibleAnswer): boolean {
  if (status !== 200 || method === 'HEAD') return false;
  const length = Number(headers['content-length'] ?? Number.NaN);
  if (!(length >= bytesMin && length <= bytesMax)) return false;
  if (!textTypes.test(headers['content-type'] ?? '')) return false;
  if (fieldsAgainst.some((name) => headers[name] !== undefined)) return false;
  if (headers.etag !== undefined && !headers.etag.startsWith('W/')) return false;
  return !/no-transform/i.test(headers['cache-control'] ?? '');
}

/** What each coding is called. */
const codings = { br: ['br'], gzip: ['gzip', 'x-gzip'] } as const;

/**
 * Whether a client takes a content coding: RFC 9110, 12.5.3. The header is anyone's text of 16 KiB, so it is read in linear time:
 * neighbouring repetitions of a regular expression would try each division of a run of blanks.
 */
export function acceptsCoding(
  name: keyof typeof codings,
  acceptEncoding: string | string[] | undefined,
): boolean {
  const weights = new Map(
    String(acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map(weightedCoding),
  );
  const named = codings[name].find((coding) => weights.has(coding)) ?? '*';
  return (weights.get(named) ?? 0) > 0;
}

function weightedCoding(text: string): [coding: string, weight: number] {
  const [coding = '', weight] = text.split(';', 2).map((part) => part.trim());
  return [coding, weight?.startsWith('q=') === true ? Number(weight.slice(2)) : 1];
}

/** Whether a client takes gzip. */
export const acceptsGzip = (acceptEncoding: string | string[] | undefined): boolean =>
  acceptsCoding('gzip', acceptEncoding);

/**
 * Compresses at the fastest level: 20 kB of JSON become 3.3 in some 50 µs, and the best level takes twice that for a
 * fifth less. In the event loop on purpose: handing it to another thread and back costs five times as much.
 */
export function compress(body: Buffer): Buffer {
  return gzipSync(body, { level: constants.Z_BEST_SPEED });
}
