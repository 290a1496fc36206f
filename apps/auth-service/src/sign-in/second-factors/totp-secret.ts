import type { AuthSecret, SecretRing } from '../../ground/index.ts';
import type { SealedSecret } from './second-factors.repository.ts';

const purpose = 'totp-secret-encryption';

/** Encrypts the secret of a user's authenticator, so that a reader of the database cannot generate codes. */
export function sealTotpSecret(totpSecret: string, userId: string, secret: AuthSecret): SealedSecret {
  return { encryptedSecret: secret.encrypt(purpose, Buffer.from(totpSecret), userId), secretId: secret.id };
}

/**
 * Decrypts what {@link sealTotpSecret} made for this very user.
 *
 * @throws Error when the AUTH_SECRET of then is not configured any more, saying what to do.
 */
export function openTotpSecret(sealed: SealedSecret, userId: string, secrets: SecretRing): string {
  const secret = secrets.find(sealed.secretId);
  if (!secret) {
    throw new Error(
      `An authenticator was set up under the AUTH_SECRET named ${sealed.secretId}: add that secret to AUTH_SECRET_PREVIOUS.`,
    );
  }
  return secret.decrypt(purpose, sealed.encryptedSecret, userId).toString();
}
