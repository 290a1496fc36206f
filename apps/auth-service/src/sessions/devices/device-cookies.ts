import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthSecret, SecretRing } from '../../ground/index.ts';

/** A browser keeps its name for 400 days from its last sign-in, the longest that browsers keep a cookie. */
export const deviceCookieMaxAgeSeconds = 400 * 24 * 60 * 60;

const nameBytes = 16;

/** The cookie that identifies a browser, across users: a random name and its signature, so that it cannot be chosen. */
export class DeviceCookies {
  readonly #secrets: SecretRing;

  constructor(secrets: SecretRing) {
    this.#secrets = secrets;
  }

  /** For a browser that has none. */
  issue(): string {
    return this.#sign(randomBytes(nameBytes).toString('base64url'));
  }

  /** The cookie, signed with the current secret; undefined if it was not issued here. */
  renew(cookie: string | undefined): string | undefined {
    if (cookie === undefined) return undefined;
    const [name = '', signature = ''] = cookie.split('.');
    const given = Buffer.from(signature, 'base64url');
    const known = this.#secrets.all.some((secret) => isEqual(given, signatureOf(name, secret)));
    return known ? this.#sign(name) : undefined;
  }

  #sign(name: string): string {
    return `${name}.${signatureOf(name, this.#secrets.current).toString('base64url')}`;
  }
}

function signatureOf(name: string, secret: AuthSecret): Buffer {
  return secret.mac('device-cookie', name);
}

function isEqual(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
