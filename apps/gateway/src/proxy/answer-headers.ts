import type { IncomingHttpHeaders, OutgoingHttpHeader } from 'node:http';
import { cookieNames } from '@tenantry/service/browser';
import { InvalidResponse } from '../upstream/failure.ts';

/** The gateway decides which origins may read a response. */
const corsFields = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
];

/**
 * Fields that are not forwarded: those of one connection (RFC 9110, 7.6.1; Trailer, because trailers are dropped), and those
 * that the gateway sets itself.
 */
const ended = new Set([
  ...corsFields,
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

/** The context of a response. */
export interface AnswerContext {
  /** Fields of the gateway itself, by name. */
  readonly own: (name: string) => OutgoingHttpHeader | undefined;
  /** Whether the service sets the cookies of sessions. */
  readonly setsCookies: boolean;
  /** Whether it is compressed, which changes its length. */
  readonly compressible?: boolean;
}

/**
 * The forwarded fields of a service's response and those of the gateway, names and values in turn.
 *
 * @throws {InvalidResponse} for a transfer coding other than "chunked", or an invalid status.
 */
export function answerHeaders(
  status: number,
  received: IncomingHttpHeaders,
  { own, setsCookies, compressible = false }: AnswerContext,
): OutgoingHttpHeader[] {
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
    if (name === 'set-cookie' && !setsCookies) kept.push(name, withoutSessionCookies(value));
    else if (name !== 'vary') kept.push(name, value);
  }
  const vary = varyBy(received.vary, own('vary'));
  const accepting = compressible ? varyBy(vary, 'Accept-Encoding') : vary;
  if (accepting !== undefined) kept.push('vary', accepting);
  if (own('access-control-allow-origin') === undefined) return kept;
  for (const name of corsFields) {
    const value = own(name);
    if (value !== undefined) kept.push(name, value);
  }
  return kept;
}

/** `Vary` of both, each field once. */
function varyBy(received: OutgoingHttpHeader | undefined, own: OutgoingHttpHeader | undefined) {
  if (received === undefined || own === undefined) return received ?? own;
  const fields = String(received)
    .split(',')
    .map((field) => field.trim());
  const known = new Set(fields.map((field) => field.toLowerCase()));
  if (known.has('*')) return '*';
  const added = String(own)
    .split(', ')
    .filter((field) => !known.has(field.toLowerCase()));
  return [...fields, ...added].join(', ');
}

const sessionCookie = new RegExp(`^[\\s=]*(?:${Object.values(cookieNames).join('|')})\\s*(?:[=;]|$)`, 'i');

/** Only auth-service may set session cookies: RFC 6265bis, 8.6. */
function withoutSessionCookies(cookies: string | readonly string[]): string[] {
  return [cookies].flat().filter((cookie) => !sessionCookie.test(cookie));
}

/** The fields listed in Connection; undefined in the usual case that there are none. */
function connectionOptions(value: string | string[] | undefined): Set<string> | undefined {
  if (value === undefined || value === 'keep-alive' || value === 'close') return undefined;
  const options = new Set(
    String(value)
      .toLowerCase()
      .split(',')
      .map((option) => option.trim()),
  );
  // The length says where the response ends, on either side.
  options.delete('content-length');
  return options;
}
