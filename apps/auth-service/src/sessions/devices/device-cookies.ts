import { randomBytes } from 'node:crypto';
import type { SecretRing } from '../../ground/index.ts';

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
    const secret = this.#secrets.findByMac(Buffer.from(signature, 'base64url'), 'device-cookie', name);
    return secret && this.#sign(name);
  }

  #sign(name: string): string {
    return `${name}.${this.#secrets.current.mac('device-cookie', name).toString('base64url')}`;
  }
}
