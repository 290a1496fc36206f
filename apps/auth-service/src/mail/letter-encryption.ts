import { decrypt, encrypt, type AuthSecret } from '../ground/index.ts';
import type { Letter } from './letter.ts';

/** The row of a letter, and the secret that encrypts it. */
interface LetterEncryption {
  readonly id: string;
  readonly secret: AuthSecret;
}

/** Encrypts an e-mail for its row, so that reading the database reveals no token. */
export function sealLetter(letter: Letter, { id, secret }: LetterEncryption): Buffer {
  const plaintext = Buffer.from(JSON.stringify(letter));
  return encrypt(plaintext, { secret, purpose: 'mail-encryption', associatedData: id });
}

/** Opens what {@link sealLetter} made; throws for any other row. */
export function openLetter(payload: Uint8Array, { id, secret }: LetterEncryption): Letter {
  const plaintext = decrypt(payload, { secret, purpose: 'mail-encryption', associatedData: id });
  return JSON.parse(plaintext.toString()) as Letter;
}
