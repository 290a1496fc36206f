import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { bytesOfUuid, uuidOfBytes } from '@tenantry/service-kit/tokens';
import type { AuthSecret, SecretRing } from '../../ground/index.ts';

/** Which token it is: the nth of a session. */
export interface RefreshTokenId {
  readonly userId: string;
  readonly sessionId: string;
  /** 1 for the first. */
  readonly generation: number;
}

/** A token and what is stored of it. */
export interface RefreshToken {
  readonly token: string;
  readonly hash: Buffer;
}

/** Which token a client presents, and what is stored of it if it is the current one. */
export interface ReadRefreshToken extends RefreshTokenId {
  readonly hash: Buffer;
  /** Under the present secret. An earlier one may have leaked, so it proves less: that the token was issued. */
  readonly isOfCurrentSecret: boolean;
}

/** So that a scanner that finds one in a repository or a log knows what it is. */
const prefix = 'trt_';
const idBytes = 36;
const tokenBytes = idBytes + 32;
const form = /^trt_[\w-]{91}$/;

/**
 * Making refresh tokens, and reading those that come back: the ids, and a MAC of 256 bits that nobody can make without the
 * secret. Being derived and not random, the same token can be given again to a client that lost the answer, and need not be
 * stored.
 */
export class RefreshTokens {
  readonly #secrets: SecretRing;

  constructor(secrets: SecretRing) {
    this.#secrets = secrets;
  }

  make(id: RefreshTokenId): RefreshToken {
    return made(id, this.#secrets.current);
  }

  /** Makes a token again whose hash is stored; undefined when the secret that it was made under is gone. */
  remake(id: RefreshTokenId, hash: Buffer): string | undefined {
    return this.#secrets.all.map((secret) => made(id, secret)).find((one) => one.hash.equals(hash))?.token;
  }

  /** Says which token it is; undefined for anything that was not made here. */
  read(token: string): ReadRefreshToken | undefined {
    if (!form.test(token)) return undefined;
    const bytes = Buffer.from(token.slice(prefix.length), 'base64url');
    // One way to write it: the last character must not carry bits of its own.
    if (bytes.length !== tokenBytes || prefix + bytes.toString('base64url') !== token) return undefined;
    const ids = bytes.subarray(0, idBytes);
    const mac = bytes.subarray(idBytes);
    const secret = this.#secrets.all.find((one) => timingSafeEqual(mac, macOf(ids, one)));
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
  const token = prefix + Buffer.concat([ids, macOf(ids, secret)]).toString('base64url');
  return { token, hash: hashOf(token) };
}

function macOf(ids: Buffer, secret: AuthSecret): Buffer {
  return createHmac('sha256', secret.key('refresh-token')).update(ids).digest();
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
