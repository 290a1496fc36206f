import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** The purpose of a key. No key serves two purposes, so none reveals anything about another. */
type KeyPurpose =
  | 'password-pepper'
  | 'signing-key-encryption'
  | 'mail-encryption'
  | 'idempotency'
  | 'totp-secret-encryption'
  | 'refresh-token'
  | 'csrf-token'
  | 'device-cookie'
  | 'mailed-code'
  | 'passkey-challenge'
  | 'sign-in-flow'
  | 'sign-in-flow-encryption'
  | 'connection-secret-encryption'
  | 'throttling';

const cipherName = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** One AUTH_SECRET: never used itself, only to derive keys from. */
export class AuthSecret {
  /** Its public name, stored beside whatever depends on it; it says nothing about the secret. */
  readonly id: string;
  readonly #text: string;
  readonly #keys = new Map<KeyPurpose, KeyObject>();

  constructor(text: string) {
    this.id = derive(text, 'name', 9).toString('base64url');
    this.#text = text;
  }

  /** The 256-bit key for a purpose: a key object, which cannot be logged and is a third faster than bytes. */
  key(purpose: KeyPurpose): KeyObject {
    const known = this.#keys.get(purpose);
    if (known) return known;
    const key = createSecretKey(derive(this.#text, purpose, 32));
    this.#keys.set(purpose, key);
    return key;
  }

  /** HMAC-SHA-256 under the key for a purpose. */
  mac(purpose: KeyPurpose, ...parts: readonly (string | Uint8Array)[]): Buffer {
    const mac = createHmac('sha256', this.key(purpose));
    for (const part of parts) mac.update(part);
    return mac.digest();
  }

  /**
   * Encrypts for storage under the key for a purpose: nonce, tag, ciphertext.
   *
   * @param owner authenticated with it, usually the id of its row: stored data cannot be moved to another row.
   */
  encrypt(purpose: KeyPurpose, plaintext: Uint8Array, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(cipherName, this.key(purpose), nonce);
    cipher.setAAD(Buffer.from(owner));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
  }

  /** Decrypts what {@link AuthSecret.encrypt} made; throws for anything else, and for another owner, purpose or secret. */
  decrypt(purpose: KeyPurpose, stored: Uint8Array, owner: string): Buffer {
    const bytes = Buffer.from(stored);
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv(cipherName, this.key(purpose), nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  }
}

/**
 * The current AUTH_SECRET, and earlier values that older data may still need: data under a rotated secret stays readable for as
 * long as that is listed, and is renewed when it is next used.
 */
export class SecretRing {
  readonly current: AuthSecret;
  /** Newest first. */
  readonly all: readonly AuthSecret[];

  constructor(current: string, previous: readonly string[] = []) {
    this.current = new AuthSecret(current);
    this.all = [this.current, ...previous.map((text) => new AuthSecret(text))];
  }

  find(id: string): AuthSecret | undefined {
    return this.all.find((secret) => secret.id === id);
  }

  /** The secret under which a MAC of these parts was made; undefined for any other. Compared in constant time. */
  findByMac(
    mac: Uint8Array,
    purpose: KeyPurpose,
    ...parts: readonly (string | Uint8Array)[]
  ): AuthSecret | undefined {
    return this.all.find((secret) => {
      const own = secret.mac(purpose, ...parts);
      return own.length === mac.length && timingSafeEqual(own, mac);
    });
  }
}

/** HKDF-SHA-256, RFC 5869; the secret has full entropy, so it needs no salt. */
function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `tenantry/auth-service/v1/${purpose}`, bytes));
}
