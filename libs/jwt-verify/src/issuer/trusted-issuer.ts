import { platform } from '#platform';
import { shownAddress } from '../platform/http-get.ts';
import { clockSkewSeconds } from '../tokens/identity.ts';
import { IssuerClock } from './issuer-clock.ts';
import { KeySource } from './key-source.ts';
import { RevocationFeed } from './revocation-feed.ts';
import { Revocations } from './revocations.ts';
import { revocationsMax, type IssuerSettings, type VerifierSettings } from './settings.ts';

const keysTimeoutMs = 5000;
const keysBytesMax = 256 * 1024;
/** A failure that lasts this many attempts, about three seconds, causes a warning. */
const failuresOfAnOutage = 5;
/** The issuer may start together with this process: until its first answer, failures cause none for this long. */
const startMs = 30_000;

/** What the issuers of one verifier share. */
export interface TrustedIssuerOptions extends Pick<
  VerifierSettings,
  'keyRefreshMs' | 'keyMaxAgeMs' | 'background' | 'logger' | 'around' | 'clock'
> {
  readonly onKeyRemoval: () => void;
  /** Ends all reading. */
  readonly signal: AbortSignal | undefined;
}

/** One issuer whose tokens are accepted: its own clock and keys, and its own revocations if it has a feed. */
export class TrustedIssuer {
  readonly name: string;
  readonly clock: IssuerClock;
  readonly keys: KeySource;
  readonly revocations: Revocations;
  readonly feed: RevocationFeed | undefined;
  readonly #options: TrustedIssuerOptions;
  #clocksDiffer = false;

  constructor({ name, jwks, revocations }: IssuerSettings, options: TrustedIssuerOptions) {
    this.name = name;
    this.#options = options;
    this.clock = new IssuerClock(options.clock);
    this.keys = this.#keySource(jwks);
    this.revocations = new Revocations(revocations === false ? revocationsMax : revocations.entriesMax);
    this.feed = revocations === false ? undefined : this.#followed(revocations.url);
  }

  #keySource(jwks: IssuerSettings['jwks']): KeySource {
    const { keyRefreshMs, keyMaxAgeMs, background, around, signal, onKeyRemoval } = this.#options;
    const common = { background, clock: () => this.clock.now(), onRemoval: onKeyRemoval };
    if (typeof jwks !== 'string') {
      const onFailure = () => undefined;
      return new KeySource({
        ...common,
        load: async () => jwks,
        refreshMs: Infinity,
        maxAgeMs: Infinity,
        onFailure,
      });
    }
    const timing = { timeoutMs: keysTimeoutMs, bodyBytesMax: keysBytesMax };
    return new KeySource({
      ...common,
      load: (holdsProcess) =>
        around('keys', () => platform.getJson(jwks, { ...timing, signal, holdsProcess })),
      refreshMs: keyRefreshMs,
      maxAgeMs: keyMaxAgeMs,
      onFailure: this.#warnOf('Token keys', jwks, () => this.keys.staleMs === Infinity),
    });
  }

  #followed(url: string): RevocationFeed {
    const { background, around, signal } = this.#options;
    return new RevocationFeed({
      url,
      background,
      around,
      clock: this.clock,
      signal,
      apply: (news, nowSeconds) => {
        this.#warnOfClock();
        this.revocations.apply(news, nowSeconds);
      },
      onFailure: this.#warnOf('Session revocations', url, () => this.feed?.staleMs === Infinity),
    });
  }

  /** Warns once, until the clocks agree again. */
  #warnOfClock(): void {
    const aheadSeconds = Math.round(this.clock.aheadMs / 1000);
    const differed = this.#clocksDiffer;
    this.#clocksDiffer = Math.abs(aheadSeconds) > clockSkewSeconds;
    if (differed || !this.#clocksDiffer) return;
    const distance = aheadSeconds > 0 ? `${aheadSeconds} s ahead of` : `${-aheadSeconds} s behind`;
    this.#options.logger.warn(
      `The clock of this process is ${distance} that of ${this.name}: synchronize both. Tokens are judged by the later one.`,
    );
  }

  /** Warns once per outage: a wrong address must not look like a quiet feed. */
  #warnOf(what: string, url: string, isStarting: () => boolean): (error: unknown, failures: number) => void {
    const { logger, signal } = this.#options;
    const startedAtMs = this.clock.now();
    let isAnnounced = false;
    return (error, failures) => {
      if (failures === 1) isAnnounced = false;
      if (isAnnounced || failures < failuresOfAnOutage || signal?.aborted === true) return;
      if (isStarting() && this.clock.now() - startedAtMs < startMs) return;
      isAnnounced = true;
      const reason = (error as Partial<Error> | undefined)?.message ?? String(error);
      logger.warn(`${what} cannot be read from ${shownAddress(url)}: ${reason}`);
    };
  }
}
