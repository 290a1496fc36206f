import { createHmac } from 'node:crypto';
import type { Asking, Share } from '@tenantry/fair-shares';
import type { Counted } from '@tenantry/service/rate-limits';
import bcrypt from 'bcrypt';
import type { AuthSecret, SecretRing } from '../../../ground/index.ts';
import type { HashingTurns } from './hashing-turns.ts';
import type { NormalizedPassword } from './password-policy.ts';

interface PasswordHashingOptions {
  readonly secrets: SecretRing;
  /** bcrypt's cost: each step doubles the work. */
  readonly cost: number;
  readonly turns: Pick<HashingTurns, 'take'>;
  /** bcrypt's own, by default. */
  readonly compare?: (text: string, hash: string) => Promise<boolean>;
  /** Called for a hash that cannot be checked, because its secret is no longer configured. */
  readonly onUnreadableHash: (problem: string) => void;
}

/** The result of comparing a password with a stored hash. */
export interface Verdict {
  readonly matches: boolean;
  /** The hash has an older secret or cost: rehash now that the password is available. */
  readonly outdated: boolean;
}

/** A stored password, if there is one. */
type Stored = string | undefined;

/** Why a password is hashed. This always requires a count by a limit. */
export interface HashingReason {
  /** The sharer of the work. */
  readonly asking: Asking;
  readonly counted: Counted;
}

/** A turn to compare a password, until it is given back. */
interface ComparingTurn extends Share {
  /**
   * Compares; without a stored hash it does the same work and never matches. A hash of a lower cost than others takes as much
   * work as theirs.
   */
  compare(password: NormalizedPassword, stored: Stored): Promise<Verdict>;
}

/** bcrypt over HMAC-SHA-384; other schemes get other names. */
const scheme = 'bcrypt-hmac-sha384';
/** 53 characters of bcrypt's alphabet: a salt and a hash that take as long to compare as real ones. */
const noSaltAndHash = 'abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234';

const unmatchableHash = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${noSaltAndHash}`;

/** Hashes and checks passwords: peppered, salted, slow by design, with bounded concurrency. ASVS 5.0, 11.4.2. */
export class PasswordHashing {
  readonly #options: PasswordHashingOptions;
  /** The highest cost seen: after the cost was lowered, older hashes must not reveal that an account exists. */
  #costMax: number;

  constructor(options: PasswordHashingOptions) {
    this.#options = options;
    this.#costMax = options.cost;
  }

  /** The string to store: `scheme:pepper version:hash`. */
  async hash(password: NormalizedPassword, { asking }: HashingReason): Promise<string> {
    const { secrets, cost, turns } = this.#options;
    const peppered = pepper(password, secrets.current);
    const turn = await turns.take(asking);
    try {
      return [scheme, secrets.current.id, await bcrypt.hash(peppered, cost)].join(':');
    } finally {
      turn.giveBack();
    }
  }

  /** Waits for a turn. @throws UPSTREAM_UNAVAILABLE (503, Retry-After) as {@link HashingTurns.take} */
  async take({ asking }: HashingReason): Promise<ComparingTurn> {
    const turn = await this.#options.turns.take(asking);
    return {
      compare: (password, stored) => this.#compare(password, stored),
      giveBack: () => turn.giveBack(),
    };
  }

  async #compare(password: NormalizedPassword, stored: Stored): Promise<Verdict> {
    const { secrets, cost, compare = bcrypt.compare } = this.#options;
    const known = this.#read(stored);
    const { secret, hash } = known ?? { secret: secrets.current, hash: unmatchableHash(this.#costMax) };
    const rounds = bcrypt.getRounds(hash);
    this.#costMax = Math.max(this.#costMax, rounds);
    const peppered = pepper(password, secret);
    const equal = await compare(peppered, hash);
    await this.#evenOut(peppered, rounds);
    return {
      matches: equal && known !== undefined,
      outdated: secret !== secrets.current || rounds !== cost,
    };
  }

  /** Adds work to a comparison at a lower cost up to that of the highest: 2^8 and 2^8 and 2^9 make 2^10. */
  async #evenOut(peppered: string, from: number): Promise<void> {
    const { compare = bcrypt.compare } = this.#options;
    for (let cost = from; cost < this.#costMax; cost += 1) await compare(peppered, unmatchableHash(cost));
  }

  #read(stored: Stored) {
    const { secrets, onUnreadableHash } = this.#options;
    if (stored === undefined) return undefined;
    const [storedScheme, secretId = '', hash = ''] = stored.split(':');
    const secret = secrets.find(secretId);
    if (storedScheme === scheme && secret) return { secret, hash };
    onUnreadableHash(`a stored password names ${storedScheme ?? ''}:${secretId}, which is not configured`);
    return undefined;
  }
}

/** bcrypt reads 72 bytes and stops at a NUL: it gets 64 characters that depend on every byte of the password. */
function pepper(password: NormalizedPassword, secret: AuthSecret): string {
  return createHmac('sha384', secret.key('password-pepper')).update(password, 'utf8').digest('base64');
}
