import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthSecret, SecretRing } from '../../ground/index.ts';

/** The cookie that identifies a browser, across users. */
export interface DeviceCookies {
  /** For a browser that has none. */
  issue(): string;
  /** The cookie as it is to be kept, signed under the current secret; undefined for what was not issued here. */
  renew(cookie: string | undefined): string | undefined;
}

/** A browser keeps its name for 400 days from its last sign-in: no browser keeps a cookie longer. */
export const deviceCookieMaxAgeSeconds = 400 * 24 * 60 * 60;

const nameBytes = 16;

/** Makes {@link DeviceCookies}: a random name and its signature, so that nobody chooses one. */
export function createDeviceCookies(secrets: SecretRing): DeviceCookies {
  const sign = (name: string) => `${name}.${signatureOf(name, secrets.current).toString('base64url')}`;

  return {
    issue: () => sign(randomBytes(nameBytes).toString('base64url')),
    renew(cookie) {
      if (cookie === undefined) return undefined;
      const [name = '', signature = ''] = cookie.split('.');
      const given = Buffer.from(signature, 'base64url');
      const known = secrets.all.some((secret) => isEqual(given, signatureOf(name, secret)));
      return known ? sign(name) : undefined;
    },
  };
}

function signatureOf(name: string, secret: AuthSecret): Buffer {
  return createHmac('sha256', secret.key('device-cookie')).update(name).digest();
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
