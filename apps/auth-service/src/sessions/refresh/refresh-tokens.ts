import { hash } from 'node:crypto';
import { bytesOfUuid, uuidOfBytes } from '@tenantry/service/tokens';
import type { AuthSecret, SecretRing } from '../../ground/index.ts';

/** Which token it is: the nth of a session. */
interface RefreshTokenId {
  readonly userId: string;
  readonly sessionId: string;
  /** 1 for the first. */
  readonly generation: number;
}

/** A token and its stored digest. */
interface RefreshToken {
  readonly token: string;
  readonly hash: Buffer;
}

/** The token that a client presents, and the digest that is stored if it is the current one. */
export interface ReadRefreshToken extends RefreshTokenId {
  readonly hash: Buffer;
  /** Created with the current secret. An earlier secret may have leaked, so it proves less. */
  readonly isOfCurrentSecret: boolean;
}

/** The prefix lets secret scanners recognize a token in a repository or a log. */
const prefix = 'trt_';
const idBytes = 36;
const tokenBytes = idBytes + 32;
const form = /^trt_[\w-]{91}$/;

/**
 * Creates and parses refresh tokens: ids, and a MAC of 256 bits that requires the secret. Since they are derived and not
 * random, the same token can be sent again to a client that lost the response, without being stored.
 */
export class RefreshTokens {
  readonly #secrets: SecretRing;

  constructor(secrets: SecretRing) {
    this.#secrets = secrets;
  }

  make(id: RefreshTokenId): RefreshToken {
    return made(id, this.#secrets.current);
  }

  /** Recreates the token whose hash is stored; undefined if its secret is no longer configured. */
  remake(id: RefreshTokenId, hash: Buffer): string | undefined {
    return this.#secrets.all.map((secret) => made(id, secret)).find((one) => one.hash.equals(hash))?.token;
  }

  /** Identifies a token, if there is one; undefined if it was not created here. */
  read(token: string | undefined): ReadRefreshToken | undefined {
    if (token === undefined || !form.test(token)) return undefined;
    const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
    // Only the canonical spelling: the last character must have no stray bits.
    if (bytes.length !== tokenBytes || prefix + bytes.toString('base64url') !== token) return undefined;
    const ids = bytes.subarray(0, idBytes);
    const secret = this.#secrets.findByMac(bytes.subarray(idBytes), 'refresh-token', ids);
    if (!secret) return undefined;
    return {
      userId: uuidOfBytes(ids.subarray(0, 16)),
      sessionId: uuidOfBytes(ids.subarray(16, 32)),
      generation: ids.readUInt32BE(32),
      hash: hashOf(token),
      isOfCurrentSecret: secret === this.#secrets.current,
    };
  }
}

function made({ userId, sessionId, generation }: RefreshTokenId, secret: AuthSecret): RefreshToken {
  const ids = Buffer.alloc(idBytes);
  bytesOfUuid(userId).copy(ids, 0);
  bytesOfUuid(sessionId).copy(ids, 16);
  ids.writeUInt32BE(generation, 32);
  const token = prefix + Buffer.concat([ids, secret.mac('refresh-token', ids)]).toString('base64url');
  return { token, hash: hashOf(token) };
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
