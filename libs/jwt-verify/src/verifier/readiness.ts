import { TokenError } from '../tokens/errors.ts';
import type { TrustedIssuer } from '../issuer/trusted-issuer.ts';

/** How fresh the keys are; of several issuers, the stalest. */
export interface KeyStatus {
  /** Milliseconds since the keys were last read: 0 for a literal set, Infinity before the first reading. */
  readonly staleMs: number;
}

/** How fresh the knowledge of revocations is; of several issuers, the stalest. */
export interface RevocationStatus {
  /** Milliseconds since the issuer last answered: 0 without a feed, Infinity before its first answer. */
  readonly staleMs: number;
  /** Revocations in force. */
  readonly entries: number;
}

/** How the process's clock compares with the issuer's; of several issuers, with the one it differs from most. */
export interface ClockStatus {
  /** Milliseconds since the epoch, by the clock that tokens are judged by: the process's or the issuer's, the later. */
  readonly now: () => number;
  /** Milliseconds by which the process's clock is ahead; negative if behind, 0 until an issuer has told its time. */
  readonly aheadMs: number;
}

/** The clocks of several issuers, read as they are asked for. */
export function clockStatus(issuers: readonly TrustedIssuer[]): ClockStatus {
  return {
    now: () => Math.max(...issuers.map(({ clock }) => clock.now())),
    get aheadMs() {
      const all = issuers.map(({ clock }) => clock.aheadMs);
      return all.reduce((most, aheadMs) => (Math.abs(aheadMs) > Math.abs(most) ? aheadMs : most));
    },
  };
}

/** The freshness of the keys of several issuers, read as it is asked for. */
export function keyStatus(issuers: readonly TrustedIssuer[]): KeyStatus {
  return {
    get staleMs() {
      return Math.max(...issuers.map(({ keys }) => keys.staleMs));
    },
  };
}

/** The freshness of the revocations of several issuers, read as it is asked for. */
export function revocationStatus(issuers: readonly TrustedIssuer[]): RevocationStatus {
  return {
    get staleMs() {
      return Math.max(...issuers.map(({ feed }) => feed?.staleMs ?? 0));
    },
    get entries() {
      return issuers.reduce((sum, { revocations }) => sum + revocations.size, 0);
    },
  };
}

/** Resolves when the keys, revocations and clock of every issuer are usable; past the time, rejects with a {@link TokenError}. */
export async function allReady(issuers: readonly TrustedIssuer[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (const { clock, keys, feed } of issuers) {
    const unavailable = () => new TokenError('KEYS_UNAVAILABLE', { cause: keys.lastError });
    await before(deadline, keys.loaded, unavailable);
    if (!keys.areUsable) throw unavailable();
    if (feed === undefined) continue;
    await before(
      deadline,
      feed.loaded,
      () => new TokenError('REVOCATIONS_UNAVAILABLE', { cause: feed.lastError }),
    );
    if (clock.isUseless) throw new TokenError('CLOCK_AHEAD');
  }
}

/** Waits for a promise, and keeps the process alive meanwhile; past the deadline, throws what `late` gives. */
async function before(deadline: number, awaited: Promise<void>, late: () => TokenError): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    // Node.js warns of a negative time.
    timer = setTimeout(() => reject(late()), Math.max(0, deadline - performance.now()));
  });
  await Promise.race([awaited, timeout]).finally(() => clearTimeout(timer));
}
