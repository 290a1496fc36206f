import { hash, randomBytes } from 'node:crypto';

/** Which challenge a token belongs to, and what is stored of it. */
export interface ChallengeToken {
  readonly userId: string;
  readonly id: string;
  readonly hash: Buffer;
}

const prefix = 'tct_';
const idBytes = 16;
const secretBytes = 32;

/** What a token looks like, for schemas: the prefix, then two ids and 256 random bits in base64url. */
export const challengeTokenPattern = `^${prefix}[A-Za-z0-9_-]{${Math.ceil(((2 * idBytes + secretBytes) * 4) / 3)}}$`;

/** Makes the token of a challenge. The ids in it say where to look; the rest cannot be guessed. */
export function newChallengeToken(userId: string, id: string): string {
  return (
    prefix + Buffer.concat([bytesOf(userId), bytesOf(id), randomBytes(secretBytes)]).toString('base64url')
  );
}

/** Reads a token of the right form; whether there is such a challenge, the hash decides. */
export function readChallengeToken(token: string): ChallengeToken {
  const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
  return {
    userId: uuidOf(bytes.subarray(0, idBytes)),
    id: uuidOf(bytes.subarray(idBytes, 2 * idBytes)),
    hash: hash('sha256', token, 'buffer'),
  };
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
