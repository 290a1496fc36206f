import type { Transaction } from '../database.ts';
import {
  newMailedToken,
  readMailedToken,
  type MailedTokenKey,
  type MailedTokenPurpose,
} from './mailed-token.ts';
import { invalidToken } from './mailed-tokens.errors.ts';
import type { MailedTokensRepository } from './mailed-tokens.repository.ts';

/** A token to make. */
export interface TokenRequest {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
  /** The address it goes to, and the only one it speaks for. */
  readonly email: string;
}

/** A live token that somebody has brought, and the address that it speaks for. */
export type RecognizedToken = MailedTokenKey & { readonly email: string };

/** What mailed tokens need. */
export interface MailedTokensDependencies {
  readonly repository: MailedTokensRepository;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** Tokens that are sent by mail and brought back once. */
export interface MailedTokens {
  /** Makes one for the transaction's user. */
  issue(tx: Transaction, request: TokenRequest): Promise<string>;
  /**
   * Reads a token that somebody brings, and sees that it is live, without using it up.
   *
   * @throws INVALID_TOKEN
   */
  recognize(token: string, purposes: readonly MailedTokenPurpose[]): Promise<RecognizedToken>;
  /**
   * Uses a token up in the transaction of what it allows.
   *
   * @throws INVALID_TOKEN to all but one, however many bring it at once.
   */
  redeem(tx: Transaction, key: MailedTokenKey): Promise<void>;
  /** Ends tokens of the transaction's user that are still under way. */
  revoke(tx: Transaction, ...purposes: MailedTokenPurpose[]): Promise<void>;
}

const hourMs = 60 * 60 * 1_000;
const lifetimeMs: Readonly<Record<MailedTokenPurpose, number>> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'email-change': hourMs,
};

/** Makes the use cases of mailed tokens. */
export function createMailedTokens({ repository, now, newId }: MailedTokensDependencies): MailedTokens {
  return {
    async issue(tx, { purpose, userId, email }) {
      const id = newId();
      const { token, digest } = newMailedToken({ purpose, userId, id });
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs[purpose]);
      await repository.insert(tx, { purpose, userId, id, digest, email, createdAt, expiresAt });
      return token;
    },

    async recognize(token, purposes) {
      const key = readMailedToken(token, purposes);
      const found = key && (await repository.find(key, now()));
      if (!found) throw invalidToken();
      return { ...key, email: found.email };
    },

    async redeem(tx, key) {
      if (!(await repository.take(tx, key, now()))) throw invalidToken();
    },

    revoke: (tx, ...purposes) => repository.remove(tx, purposes),
  };
}
