import { hash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../../database.ts';
import type { Ground } from '../../../ground/index.ts';
import { insertUsedChallenge } from './used-challenges.repository.ts';

/** The purpose of a challenge, and the device or user that may respond to it. */
export interface ChallengeUse {
  readonly purpose: 'sign-in' | 'registration' | 'second-factor';
  readonly subject: string;
}

const lifetimeMs = 5 * 60 * 1_000;
const nonceBytes = 16;
const timeBytes = 6;
const macBytes = 32;

/**
 * Challenges of WebAuthn. Each contains its expiry and a MAC over its purpose, so that none has to be stored: a sign-in page
 * requests one whenever it opens. A used one is stored until it expires, so it works once.
 */
export class PasskeyChallenges {
  readonly #ground: Pick<Ground, 'now' | 'secrets'>;

  constructor(ground: Pick<Ground, 'now' | 'secrets'>) {
    this.#ground = ground;
  }

  /** Makes one, as base64url. */
  make(use: ChallengeUse): string {
    const { now, secrets } = this.#ground;
    const head = Buffer.alloc(nonceBytes + timeBytes, randomBytes(nonceBytes));
    head.writeUIntBE(now().getTime() + lifetimeMs, nonceBytes, timeBytes);
    const mac = secrets.current.mac('passkey-challenge', head, textOf(use));
    return Buffer.concat([head, mac]).toString('base64url');
  }

  /** Whether it was created here for this purpose, and has not expired. */
  isGood(challenge: string, use: ChallengeUse): boolean {
    const { now, secrets } = this.#ground;
    const bytes = bytesOf(challenge);
    if (!bytes || endOf(bytes) <= now()) return false;
    const mac = bytes.subarray(nonceBytes + timeBytes);
    const head = bytes.subarray(0, nonceBytes + timeBytes);
    return secrets.findByMac(mac, 'passkey-challenge', head, textOf(use)) !== undefined;
  }

  /** Consumes a valid one in the transaction of what it allows. @returns false for all but one use */
  async use(tx: Transaction, challenge: string): Promise<boolean> {
    const bytes = bytesOf(challenge);
    if (!bytes) return false;
    const digest = hash('sha256', bytes, 'buffer');
    return insertUsedChallenge(tx, digest, endOf(bytes));
  }
}

/** Another spelling of the same bytes is not accepted. */
function bytesOf(challenge: string): Buffer | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  const isOurs = bytes.length === nonceBytes + timeBytes + macBytes;
  return isOurs && bytes.toString('base64url') === challenge ? bytes : undefined;
}

const endOf = (bytes: Buffer): Date => new Date(bytes.readUIntBE(nonceBytes, timeBytes));

const textOf = ({ purpose, subject }: ChallengeUse): string => `${purpose}:${subject}`;
