import { hash, randomBytes } from 'node:crypto';

/** What a mailed token is good for, and nothing else. */
export type MailedTokenPurpose = 'password-reset' | 'email-verification' | 'email-change';

/** Where a token is found, and the digest that must be stored there. */
export interface MailedTokenKey {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
  readonly id: string;
  readonly digest: Buffer;
}

const prefixes: Readonly<Record<MailedTokenPurpose, string>> = {
  'password-reset': 'trr_',
  'email-verification': 'trv_',
  'email-change': 'tre_',
};
const idBytes = 16;
const secretBytes = 32;
const form = /^(tr[rve]_)([A-Za-z0-9_-]{86})$/;

/** Makes a token: where it is found, and 256 random bits. What is stored is its digest alone. ASVS 5.0, 6.4.3. */
export function newMailedToken({ purpose, userId, id }: Omit<MailedTokenKey, 'digest'>): {
  token: string;
  digest: Buffer;
} {
  const bytes = Buffer.concat([bytesOf(userId), bytesOf(id), randomBytes(secretBytes)]);
  const token = prefixes[purpose] + bytes.toString('base64url');
  return { token, digest: digestOf(token, purpose) };
}

/** Reads a token; undefined for anything that {@link newMailedToken} does not make for one of the purposes. */
export function readMailedToken(
  token: string,
  purposes: readonly MailedTokenPurpose[],
): MailedTokenKey | undefined {
  const [, prefix, text = ''] = form.exec(token) ?? [];
  const purpose = purposes.find((candidate) => prefixes[candidate] === prefix);
  if (!purpose) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return {
    purpose,
    userId: uuidOf(bytes.subarray(0, idBytes)),
    id: uuidOf(bytes.subarray(idBytes, 2 * idBytes)),
    digest: digestOf(token, purpose),
  };
}

function digestOf(token: string, purpose: MailedTokenPurpose): Buffer {
  return hash('sha256', `${purpose}:${token}`, 'buffer');
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
