import type { SessionBinding } from '@tenantry/service-kit/browser';
import { whereaboutsOf, type BoundClient, type Client } from '../../ground/index.ts';

/** How a family of refresh tokens stands. */
export interface RefreshState {
  /** Of the newest token. */
  readonly generation: number;
  /** SHA-256 of the newest token. */
  readonly hash: Buffer;
  /** Of those before it, newest first; empty after the database went back in time. */
  readonly formerHashes: readonly Buffer[];
  /** When the newest token was made, which is when the one before it was first used. */
  readonly rotatedAt: Date;
  readonly bound: BoundClient;
}

/** A token that is shown. */
export interface ShownRefreshToken {
  readonly generation: number;
  readonly hash: Buffer;
  readonly isOfCurrentSecret: boolean;
  readonly client: Client;
  readonly at: Date;
}

/**
 * What comes of it: a new token; first the row brought to where the token says it was; once more the one that was given
 * for it before, `generation`; or a refusal, which ends the family where somebody else must have the token.
 */
export type RefreshVerdict =
  | { readonly kind: 'rotate' | 'catch-up' }
  | { readonly kind: 'repeat'; readonly generation: number }
  | { readonly kind: 'other-address' | 'forged' }
  | { readonly kind: 'reused' | 'other-device' };

/** How long after its successor's first use a token still gives that successor, in milliseconds. */
export const graceMs = 10_000;

/**
 * Judges a refresh token that was made here, of a session that is alive.
 *
 * Until the successor is used nobody can tell a lost answer from a theft, so the same successor is given again; for
 * the grace after that, two tabs may still be in the middle of it. Whatever comes later was kept by somebody whom
 * the honest client has long overtaken: RFC 9700, 4.14.2.
 *
 * A token newer than the row is no theft: only we can have made it, so it is the database that went back, by a restore
 * or a failover to a replica that lagged.
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
 * Whether a token that was made here was given out for the session. Where nothing stored says so, only the present secret
 * does: tokens can be made with one that leaked.
 */
export function wasGivenOut(
  { generation, hash, formerHashes }: Pick<RefreshState, 'generation' | 'hash' | 'formerHashes'>,
  shown: Pick<ShownRefreshToken, 'generation' | 'hash' | 'isOfCurrentSecret'>,
): boolean {
  const stored = [hash, ...formerHashes][generation - shown.generation];
  return stored === undefined ? shown.isOfCurrentSecret : stored.equals(shown.hash);
}
