import cookie, { type CookieSerializeOptions, type ParseOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The cookies of a browser. The prefixes make browsers refuse them without Secure, and the first from any other host
 * or path: RFC 6265bis, 4.1.3.
 */
export const cookieNames = {
  /** The access token. It stays for as long as the session, so that its digests can be read when it has expired. */
  access: '__Host-access',
  /** The refresh token, for the auth endpoints alone. */
  refresh: '__Secure-refresh',
  /** Identifies the browser, across users. */
  device: '__Secure-device',
} as const;

/** What a browser sent of its {@link cookieNames}. */
export type SessionCookies = { readonly [Name in keyof typeof cookieNames]: string | undefined };

/** Those that were sent, by name. */
type Cookies = Readonly<Record<string, string | undefined>>;

/** Our values need no decoding, and a decoded `%0d` could not be passed on in a header field. */
const undecoded: ParseOptions & CookieSerializeOptions = { decode: (value) => value };

/** Adds `cookies`, undecoded, to requests and `setCookie` to replies. */
export async function takeCookies(app: FastifyInstance): Promise<void> {
  await app.register(cookie, { parseOptions: undecoded });
}

/** The cookies of a session among `request.cookies`. */
export function sessionCookies(cookies: Cookies): SessionCookies {
  return {
    access: cookies[cookieNames.access],
    refresh: cookies[cookieNames.refresh],
    device: cookies[cookieNames.device],
  };
}

/** A cookie to set. */
export interface CookieToSet {
  readonly kind: keyof typeof cookieNames;
  readonly value: string;
  /** How long the browser keeps it; 0 removes it. */
  readonly maxAgeSeconds: number;
}

/** The scope of each cookie. Strict: no other site can make a browser renew a session. */
const reach = {
  access: { path: '/', sameSite: 'lax' },
  refresh: { path: '/api/auth', sameSite: 'strict' },
  device: { path: '/', sameSite: 'lax' },
} as const;

/** The part of a reply that sets a cookie. */
export type CookieReply = Pick<FastifyReply, 'setCookie'>;

/** Sets a cookie of a session: Secure and HttpOnly, always. ASVS 5.0, 3.3. */
export function setSessionCookie(reply: CookieReply, { kind, value, maxAgeSeconds }: CookieToSet): void {
  const maxAge = Math.max(0, Math.floor(maxAgeSeconds));
  reply.setCookie(cookieNames[kind], value, { maxAge, secure: true, httpOnly: true, ...reach[kind] });
}

const loopback = /^(?:localhost|[\w-]+\.localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/**
 * Whether the browser that sends a request stores our cookies, which are Secure: over plain HTTP it does so only for loopback
 * addresses. A page over HTTPS can only call over HTTPS, even if a proxy in between hides that.
 */
export function keepsCookies({
  protocol,
  host,
  headers,
}: Pick<FastifyRequest, 'protocol' | 'host' | 'headers'>) {
  return protocol === 'https' || loopback.test(host) || headers.origin?.startsWith('https:') === true;
}

/** Logs once why browsers stay signed out: the sign-in itself succeeds, and the browser reports no error. */
export function warnOfLostCookies(app: FastifyInstance): void {
  let isSaid = false;
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!isSaid && reply.getHeader('set-cookie') !== undefined && !keepsCookies(request)) {
      isSaid = true;
      request.log.warn(
        { host: request.host },
        'browsers drop the cookies of a session that is reached over plain HTTP, and stay signed out: serve it over ' +
          'HTTPS, or at localhost. Where TLS ends at a proxy, name the proxy in TRUST_PROXY.',
      );
    }
    done();
  });
}
