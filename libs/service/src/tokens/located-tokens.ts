import { hash, randomBytes } from 'node:crypto';

/** The location of a token: an id among the rows of its owner, a user or an organization. */
export interface TokenPlace {
  readonly ownerId: string;
  readonly id: string;
}

/** A presented token: its location, and the digest that must be stored there. */
export interface LocatedToken extends TokenPlace {
  readonly digest: Buffer;
}

const idBytes = 16;
const secretBytes = 32;
const characters = Math.ceil(((2 * idBytes + secretBytes) * 8) / 6);

/**
 * A kind of token that names the row it opens and contains 256 random bits. Only the digest is stored, so the contents of the
 * database grant no access. ASVS 5.0, 6.4.3.
 */
export class LocatedTokens {
  /** Their format, for schemas. */
  readonly pattern: string;
  readonly #prefix: string;
  readonly #form: RegExp;

  /**
   * @param prefix identifies the kind, also for secret scanners. It is part of the digest, so a token of one kind never matches
   * another.
   */
  constructor(prefix: string) {
    this.pattern = `^${prefix}[A-Za-z0-9_-]{${characters}}$`;
    this.#prefix = prefix;
    this.#form = new RegExp(this.pattern);
  }

  make({ ownerId, id }: TokenPlace): { token: string; digest: Buffer } {
    const bytes = Buffer.concat([bytesOfUuid(ownerId), bytesOfUuid(id), randomBytes(secretBytes)]);
    const token = this.#prefix + bytes.toString('base64url');
    return { token, digest: digestOf(token) };
  }

  /** Parses a token; undefined if it is not of this kind. */
  read(token: string): LocatedToken | undefined {
    if (!this.#form.test(token)) return undefined;
    const bytes = Buffer.from(token.slice(this.#prefix.length), 'base64url');
    return {
      ownerId: uuidOfBytes(bytes.subarray(0, idBytes)),
      id: uuidOfBytes(bytes.subarray(idBytes, 2 * idBytes)),
      digest: digestOf(token),
    };
  }
}

/** Digest of the text: another spelling of the same bytes is another token. */
function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** The 16 bytes of a UUID (RFC 9562), as tokens carry it. */
export function bytesOfUuid(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** The UUID of 16 bytes. */
export function uuidOfBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, i, starts) => hex.slice(start, starts[i + 1])).join('-');
}
