import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AuthSecret } from '../secrets/auth-secret.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Which key it is, and under which secret it rests. */
export interface EncryptionContext {
  readonly kid: string;
  readonly secret: AuthSecret;
}

/**
 * Encrypts a private key for storage: nonce, tag, ciphertext. The kid is authenticated with it, so that no stored
 * key can stand in for another.
 */
export function encryptPrivateKey(privateKey: Buffer, { kid, secret }: EncryptionContext): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, secret.key('signing-key-encryption'), nonce);
  cipher.setAAD(Buffer.from(kid));
  const ciphertext = Buffer.concat([cipher.update(privateKey), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts what {@link encryptPrivateKey} made; throws for anything else, and for another kid or secret. */
export function decryptPrivateKey(stored: Uint8Array, { kid, secret }: EncryptionContext): Buffer {
  const bytes = Buffer.from(stored);
  const nonce = bytes.subarray(0, nonceBytes);
  const decipher = createDecipheriv(algorithm, secret.key('signing-key-encryption'), nonce, {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.from(kid));
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
}
