import { locatedTokens, type LocatedTokens } from '@tenantry/service-kit/tokens';
import type { Transaction } from '../../database.ts';
import type { Ground } from '../../ground/index.ts';
import type { MailedTokenKey, MailedTokenPurpose, RecognizedToken } from './mailed-token.ts';
import { invalidToken } from './mailed-tokens.errors.ts';
import { createMailedTokensRepository } from './mailed-tokens.repository.ts';

/** A token to make. */
export interface TokenRequest {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
  /** The address it goes to, and the only one it speaks for. */
  readonly email: string;
}

/** Tokens that are sent by mail and come back once. */
export interface MailedTokens {
  /** Makes one for the transaction's user. */
  issue(tx: Transaction, request: TokenRequest): Promise<string>;
  /**
   * Reads a token and checks that it is live, without using it up.
   *
   * @throws INVALID_TOKEN
   */
  recognize(token: string, purposes: readonly MailedTokenPurpose[]): Promise<RecognizedToken>;
  /**
   * Uses a token up in the transaction of what it allows.
   *
   * @throws INVALID_TOKEN to all but one, however many present it at once.
   */
  redeem(tx: Transaction, key: MailedTokenKey): Promise<void>;
  /** Ends tokens of the transaction's user that are still under way. */
  revoke(tx: Transaction, ...purposes: MailedTokenPurpose[]): Promise<void>;
  /** Deletes a batch of those that are over, of all users. */
  readonly sweep: () => Promise<boolean>;
}

const hourMs = 60 * 60 * 1_000;
const lifetimeMs: Readonly<Record<MailedTokenPurpose, number>> = {
  'password-reset': hourMs,
  'email-verification': 24 * hourMs,
  'email-change': hourMs,
};

const kinds: Readonly<Record<MailedTokenPurpose, LocatedTokens>> = {
  'password-reset': locatedTokens('trr_'),
  'email-verification': locatedTokens('trv_'),
  'email-change': locatedTokens('tre_'),
};

export function createMailedTokens(ground: Pick<Ground, 'database' | 'now' | 'newId'>): MailedTokens {
  const { database, now, newId } = ground;
  const repository = createMailedTokensRepository();

  return {
    async issue(tx, { purpose, userId, email }) {
      const id = newId();
      const { token, digest } = kinds[purpose].make({ ownerId: userId, id });
      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs[purpose]);
      await repository.insert(tx, { purpose, userId, id, digest, email, createdAt, expiresAt });
      return token;
    },

    async recognize(token, purposes) {
      const key = readAs(purposes, token);
      if (!key) throw invalidToken();
      const found = await repository.find(database.within({ userId: key.userId }), key, now());
      if (!found) throw invalidToken();
      return { ...key, email: found.email };
    },

    async redeem(tx, key) {
      if (!(await repository.take(tx, key, now()))) throw invalidToken();
    },

    sweep: () => repository.sweep(database.unscoped),
    revoke: (tx, ...purposes) => repository.remove(tx, purposes),
  };
}

/** The kinds differ in their first characters, so at most one of them reads it. */
function readAs(purposes: readonly MailedTokenPurpose[], token: string): MailedTokenKey | undefined {
  for (const purpose of purposes) {
    const shown = kinds[purpose].read(token);
    if (shown) return { purpose, userId: shown.ownerId, id: shown.id, digest: shown.digest };
  }
  return undefined;
}
