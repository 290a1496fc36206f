import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AuthSecret, KeyPurpose } from './auth-secret.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** The key that encrypts stored data, and the row that it belongs to. */
interface Encryption {
  readonly secret: AuthSecret;
  readonly purpose: KeyPurpose;
  /** Authenticated with it, usually the row's id: stored data cannot be moved to another row. */
  readonly associatedData: string;
}

/** Encrypts for storage: nonce, tag, ciphertext. */
export function encrypt(plaintext: Uint8Array, { secret, purpose, associatedData }: Encryption): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secret.key(purpose), nonce);
  cipher.setAAD(Buffer.from(associatedData));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what {@link encrypt} made; throws for anything else, and for another row, purpose or secret. */
export function decrypt(stored: Uint8Array, { secret, purpose, associatedData }: Encryption): Buffer {
  const bytes = Buffer.from(stored);
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, secret.key(purpose), nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(associatedData));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
