import { TokenError } from './errors.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';

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

/** Resolves when the keys and revocations of every issuer are usable; past the time, rejects with a {@link TokenError}. */
export async function allReady(issuers: readonly TrustedIssuer[], timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (const { keys, feed } of issuers) {
    const unavailable = () => new TokenError('KEYS_UNAVAILABLE', { cause: keys.lastError });
    await before(deadline, keys.loaded, unavailable);
    if (!keys.areUsable) throw unavailable();
    if (feed === undefined) continue;
    await before(
      deadline,
      feed.loaded,
      () => new TokenError('REVOCATIONS_UNAVAILABLE', { cause: feed.lastError }),
    );
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
