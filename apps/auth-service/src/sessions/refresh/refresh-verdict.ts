import type { SessionBinding } from '@tenantry/service/browser';
import { whereaboutsOf, type BoundClient, type Client } from '../../ground/index.ts';

/** The state of a family of refresh tokens. */
export interface RefreshState {
  /** Of the newest token. */
  readonly generation: number;
  /** SHA-256 of the newest token. */
  readonly hash: Buffer;
  /** Of earlier ones, newest first; empty after the database was restored to an earlier state. */
  readonly formerHashes: readonly Buffer[];
  /** When the newest token was created, which is when the previous one was first used. */
  readonly rotatedAt: Date;
  readonly bound: BoundClient;
}

/** A presented token. */
interface ShownRefreshToken {
  readonly generation: number;
  readonly hash: Buffer;
  readonly isOfCurrentSecret: boolean;
  readonly client: Client;
  readonly at: Date;
}

/**
 * The decision: a new token; the same after the row was advanced to the token's generation; the successor sent before once
 * more, of `generation`; or a refusal, which ends the family if someone else must have the token.
 */
export type RefreshVerdict =
  | { readonly kind: 'rotate' | 'catch-up' }
  | { readonly kind: 'repeat'; readonly generation: number }
  | { readonly kind: 'other-address' | 'forged' }
  | { readonly kind: 'reused' | 'other-device' };

/** How long after its successor's first use a token still yields that successor, in milliseconds. */
export const graceMs = 10_000;

/**
 * Judges a refresh token that was created here, of a live session.
 *
 * Until the successor is used, a lost response cannot be distinguished from a theft, so the same successor is sent again, and
 * also for a grace period after that, since two tabs may be refreshing. A later use means that someone else kept the token: RFC
 * 9700, 4.14.2.
 *
 * A token newer than the row is not a theft: only this service can have created it, so the database was restored to an earlier
 * state, or failed over to a lagging replica.
 */
export function judgeRefresh(
  state: RefreshState,
  shown: ShownRefreshToken,
  binding: SessionBinding,
): RefreshVerdict {
  const whereabouts = whereaboutsOf(shown.client, state.bound, binding);
  if (whereabouts === 'other-device') return { kind: 'other-device' };

  const behind = state.generation - shown.generation;
  const inGrace = shown.at.getTime() - state.rotatedAt.getTime() <= graceMs;
  if (behind > 2 || (behind === 2 && !inGrace)) return { kind: 'reused' };
  if (whereabouts === 'other-address') return { kind: 'other-address' };
  if (!wasGivenOut(state, shown)) return { kind: 'forged' };
  if (behind < 0) return { kind: 'catch-up' };
  return behind === 0 ? { kind: 'rotate' } : { kind: 'repeat', generation: shown.generation + 1 };
}

/**
 * Whether a token that was created here was issued for the session. If nothing stored shows that, only the current secret does:
 * tokens can be forged with a leaked one.
 */
export function wasGivenOut(
  { generation, hash, formerHashes }: Pick<RefreshState, 'generation' | 'hash' | 'formerHashes'>,
  shown: Pick<ShownRefreshToken, 'generation' | 'hash' | 'isOfCurrentSecret'>,
): boolean {
  const stored = [hash, ...formerHashes][generation - shown.generation];
  return stored === undefined ? shown.isOfCurrentSecret : stored.equals(shown.hash);
}
