import { createHmac } from 'node:crypto';
import type { Asking } from '@tenantry/fair-shares';
import type { Counted } from '@tenantry/service-kit/rate-limits';
import bcrypt from 'bcrypt';
import type { AuthSecret, SecretRing } from '../../../ground/index.ts';
import type { HashingTurns } from './hashing-turns.ts';
import { normalizePassword } from './password-policy.ts';

/** What {@link createPasswordHashing} is made of. */
export interface PasswordHashingOptions {
  readonly secrets: SecretRing;
  /** bcrypt's cost: each step doubles the work. */
  readonly cost: number;
  readonly turns: Pick<HashingTurns, 'run'>;
  /** bcrypt's own, by default. */
  readonly compare?: (text: string, hash: string) => Promise<boolean>;
  /** Called for a hash that cannot be checked, because its secret is no longer configured. */
  readonly onUnreadableHash: (problem: string) => void;
}

/** How a password compares with a stored hash. */
export interface Verdict {
  readonly matches: boolean;
  /** The hash was made under an older secret or cost: make a new one while the password is at hand. */
  readonly outdated: boolean;
}

/** A stored password, if there is one. */
export type Stored = string | undefined;

/** Why something is hashed: nothing is that no limit has counted. */
export interface HashingReason {
  /** Whose work it is: those who ask take turns. */
  readonly asking: Asking;
  readonly counted: Counted;
}

/** A password that somebody gives. */
export interface GivenPassword {
  readonly password: string;
  readonly reason: HashingReason;
}

/** Makes and checks stored passwords. */
export interface PasswordHashing {
  /** The string to store: `scheme:pepper version:hash`. */
  hash(given: GivenPassword): Promise<string>;
  /**
   * Compares; without a stored hash it does the same work and never matches. A hash of a lower cost than others takes
   * as much work as theirs.
   *
   * @param stored or how to find it, which is called when its turn has come: a waiting attempt holds nothing else up,
   *   and a throw saves the work.
   * @param settle runs before the queue slot is freed.
   */
  verify(
    given: GivenPassword,
    stored: Stored | (() => Promise<Stored>),
    settle?: (verdict: Verdict) => Promise<void>,
  ): Promise<Verdict>;
}

/** bcrypt over HMAC-SHA-384; another scheme gets another name and is told apart by it. */
const scheme = 'bcrypt-hmac-sha384';
/** Any 53 characters of bcrypt's alphabet are a salt and a hash that take as long to compare as real ones. */
const noSaltAndHash = 'abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234';

const nobodyAt = (cost: number): string => `$2b$${String(cost).padStart(2, '0')}$${noSaltAndHash}`;

/** Makes password hashing: peppered, salted, slow on purpose, a bounded number at a time. ASVS 5.0, 11.4.2. */
export function createPasswordHashing(options: PasswordHashingOptions): PasswordHashing {
  const { secrets, cost, turns, compare = bcrypt.compare, onUnreadableHash } = options;
  /** The highest of the costs seen: after the cost was lowered, older hashes must not give their accounts away. */
  let costMax = cost;

  /** Brings a comparison at one cost to the work of the highest: 2^8 and 2^8 and 2^9 make 2^10. */
  async function evenOut(peppered: string, from: number): Promise<void> {
    for (let missing = from; missing < costMax; missing += 1) await compare(peppered, nobodyAt(missing));
  }

  const read = (stored: Stored) => {
    if (stored === undefined) return undefined;
    const [storedScheme, secretId = '', hash = ''] = stored.split(':');
    const secret = secrets.find(secretId);
    if (storedScheme === scheme && secret) return { secret, hash };
    onUnreadableHash(`a stored password names ${storedScheme ?? ''}:${secretId}, which is not configured`);
    return undefined;
  };

  return {
    async hash({ password, reason }) {
      const peppered = pepper(password, secrets.current);
      const hash = await turns.run(reason.asking, () => bcrypt.hash(peppered, cost));
      return [scheme, secrets.current.id, hash].join(':');
    },

    verify: ({ password, reason }, stored, settle) =>
      turns.run(reason.asking, async () => {
        const known = read(typeof stored === 'function' ? await stored() : stored);
        const { secret, hash } = known ?? { secret: secrets.current, hash: nobodyAt(costMax) };
        const rounds = bcrypt.getRounds(hash);
        costMax = Math.max(costMax, rounds);
        const peppered = pepper(password, secret);
        const equal = await compare(peppered, hash);
        await evenOut(peppered, rounds);
        const verdict = {
          matches: equal && known !== undefined,
          outdated: secret !== secrets.current || rounds !== cost,
        };
        await settle?.(verdict);
        return verdict;
      }),
  };
}

/** bcrypt reads 72 bytes and stops at a NUL: it gets 64 characters that depend on every byte of the password. */
function pepper(password: string, secret: AuthSecret): string {
  return createHmac('sha384', secret.key('password-pepper'))
    .update(normalizePassword(password), 'utf8')
    .digest('base64');
}
