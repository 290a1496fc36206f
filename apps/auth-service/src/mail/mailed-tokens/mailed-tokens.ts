import { LocatedTokens } from '@tenantry/service/tokens';
import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import { invalidToken } from '../mail.errors.ts';
import {
  MailedTokensRepository,
  type MailedTokenKey,
  type MailedTokenPurpose,
} from './mailed-tokens.repository.ts';

/** A presented live token, and the address that it was sent to. */
export interface RecognizedToken extends MailedTokenKey {
  readonly email: string;
}

/** A token to make. */
interface TokenRequest {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
  /** The address that it is sent to, and that it proves. */
  readonly email: string;
}

const hourMs = 60 * 60 * 1_000;
const lifetimeMs: Readonly<Record<MailedTokenPurpose, number>> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'email-change': hourMs,
};

const kinds: Readonly<Record<MailedTokenPurpose, LocatedTokens>> = {
  'password-reset': new LocatedTokens('trr_'),
  'email-verification': new LocatedTokens('trv_'),
  'email-change': new LocatedTokens('tre_'),
};

/** Single-use tokens that are sent by mail. */
export class MailedTokens {
  readonly #dependencies: Pick<Ground, 'database' | 'now' | 'newId'>;
  readonly #repository = new MailedTokensRepository();

  constructor(dependencies: Pick<Ground, 'database' | 'now' | 'newId'>) {
    this.#dependencies = dependencies;
  }

  /** Makes one for the transaction's user. */
  async issue(tx: Transaction, { purpose, userId, email }: TokenRequest): Promise<string> {
    const { now, newId } = this.#dependencies;
    const id = newId();
    const { token, digest } = kinds[purpose].make({ ownerId: userId, id });
    const createdAt = now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs[purpose]);
    await this.#repository.insert(tx, { purpose, userId, id, digest, email, createdAt, expiresAt });
    return token;
  }

  /**
   * Reads a token and checks that it is live, without using it up.
   *
   * @throws INVALID_TOKEN
   */
  async recognize(token: string, purposes: readonly MailedTokenPurpose[]): Promise<RecognizedToken> {
    const { database, now } = this.#dependencies;
    const key = readAs(purposes, token);
    if (!key) throw invalidToken();
    const found = await this.#repository.find(database.within({ userId: key.userId }), key, now());
    if (!found) throw invalidToken();
    return { ...key, email: found.email };
  }

  /**
   * Consumes a token in the transaction of what it allows.
   *
   * @throws INVALID_TOKEN to all but one, however many present it at once.
   */
  async redeem(tx: Transaction, key: MailedTokenKey): Promise<void> {
    if (!(await this.#repository.take(tx, key, this.#dependencies.now()))) throw invalidToken();
  }

  /** Revokes unused tokens of the transaction's user. */
  revoke(tx: Transaction, ...purposes: MailedTokenPurpose[]): Promise<void> {
    return this.#repository.remove(tx, purposes);
  }
}

/** The kinds differ in their first characters, so at most one of them reads it. */
function readAs(purposes: readonly MailedTokenPurpose[], token: string): MailedTokenKey | undefined {
  for (const purpose of purposes) {
    const shown = kinds[purpose].read(token);
    if (shown) return { purpose, userId: shown.ownerId, id: shown.id, digest: shown.digest };
  }
  return undefined;
}
