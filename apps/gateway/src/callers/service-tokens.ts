import { apiKeyPrefix } from '@tenantry/contracts';
import { FairShares } from '@tenantry/fair-shares';
import { ApiError } from '@tenantry/envelope';
import { invalidKey } from '@tenantry/service/failures';
import { measureShares, type Measurement } from '@tenantry/service/metrics';
import { LocatedTokens } from '@tenantry/service/tokens';
import { sharerOf, type Caller, type KnownUser } from './caller.ts';
import type { ExchangedToken } from './key-exchange.ts';

/** The key of a service account as a request brings it, and the token that the request went on with. */
export interface PresentedKey {
  readonly text: string;
  /** Undefined for a text that cannot be a key. */
  readonly digest: string | undefined;
  token?: string | undefined;
}

/** Exchanges a key at auth-service; `headers` are those of the request that it came with. */
export type ExchangeKey = (key: string, headers: readonly string[]) => Promise<ExchangedToken>;

export interface ServiceTokensOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long an exchange waits for its turn. */
  readonly waitMsMax?: number | undefined;
}

interface KnownKey extends Pick<ExchangedToken, 'token' | 'account'> {
  /** Milliseconds since the epoch. */
  readonly usableUntilMs: number;
}

const keys = new LocatedTokens(apiKeyPrefix);
const keysMax = 10_000;
const lifetimeMsMax = 60_000;

/** How exchanges came out. */
type Outcome = 'exchanged' | 'invalid' | 'limited' | 'unavailable';

/**
 * The access tokens of keys, by the digests of the keys. A token is used for a minute at most, and dropped when a service
 * refuses it; the account is remembered for longer, so that the requests of a key count by it.
 */
export class ServiceTokens {
  readonly measurements: readonly Measurement[];
  readonly #exchange: ExchangeKey;
  readonly #now: () => number;
  /** In the order in which they were exchanged. */
  readonly #known = new Map<string, KnownKey>();
  /** Under way, one for each key. */
  readonly #exchanges = new Map<string, Promise<string>>();
  readonly #outcomes: Record<Outcome, number> = { exchanged: 0, invalid: 0, limited: 0, unavailable: 0 };
  readonly #shares: FairShares;

  constructor(exchange: ExchangeKey, { now = Date.now, waitMsMax = 5_000 }: ServiceTokensOptions = {}) {
    this.#exchange = exchange;
    this.#now = now;
    // Anyone can make up keys: an address has a quarter of what is free under way, and its further ones wait for each other.
    this.#shares = new FairShares({
      name: 'key-exchanges',
      runningMax: 64,
      partOfFreeMax: 1 / 4,
      waitingMax: 1_024,
      waitMsMax,
    });
    this.measurements = [
      {
        name: 'tenantry_key_exchanges_total',
        help: 'Exchanges of keys of service accounts for access tokens, by how they came out',
        type: 'counter',
        read: () =>
          Object.entries(this.#outcomes).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      ...measureShares(this.#shares),
    ];
  }

  /** The key in a bearer token; undefined for any other token. */
  read(bearer: string): PresentedKey | undefined {
    // RFC 9110, 11.4: more than one blank may precede it.
    const text = bearer.trimStart();
    return text.startsWith(apiKeyPrefix)
      ? { text, digest: keys.read(text)?.digest.toString('base64url') }
      : undefined;
  }

  /** The account that a key belonged to when it was last exchanged. */
  accountOf({ digest }: PresentedKey): KnownUser | undefined {
    return digest === undefined ? undefined : this.#known.get(digest)?.account;
  }

  /** The token of a key, if it need not be exchanged. */
  find({ digest }: PresentedKey): string | undefined {
    const known = digest === undefined ? undefined : this.#known.get(digest);
    return known && known.usableUntilMs > this.#now() ? known.token : undefined;
  }

  /**
   * Exchanges a key; requests that bring the same key meanwhile share the exchange.
   *
   * @throws INVALID_KEY, RATE_LIMITED, UPSTREAM_UNAVAILABLE, and NoShareError if its turn does not come
   */
  take(key: PresentedKey, caller: Caller, headers: readonly string[]): Promise<string> {
    const { digest } = key;
    if (digest === undefined) return Promise.reject(invalidKey());
    const underWay = this.#exchanges.get(digest);
    if (underWay) return underWay;
    const exchange = this.#shares
      .run(sharerOf(caller), () => this.#exchangeNow(digest, key.text, headers))
      .finally(() => this.#exchanges.delete(digest));
    this.#exchanges.set(digest, exchange);
    return exchange;
  }

  /** A service has refused the token that a request with this key went on with. */
  drop({ digest = '', token }: PresentedKey): void {
    const known = this.#known.get(digest);
    if (known && known.token === token) this.#known.set(digest, { ...known, usableUntilMs: 0 });
  }

  async #exchangeNow(digest: string, key: string, headers: readonly string[]): Promise<string> {
    try {
      const { token, account, expiresAtMs } = await this.#exchange(key, headers);
      const usableUntilMs = Math.min(expiresAtMs, this.#now() + lifetimeMsMax);
      this.#keep(digest, { token, account, usableUntilMs });
      this.#outcomes.exchanged++;
      return token;
    } catch (error) {
      const outcome = outcomeOf(error);
      this.#outcomes[outcome]++;
      if (outcome === 'invalid') this.#known.delete(digest);
      throw error;
    }
  }

  #keep(digest: string, known: KnownKey): void {
    this.#known.delete(digest);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= keysMax && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(digest, known);
  }
}

function outcomeOf(error: unknown): Outcome {
  const { code } = error as Partial<ApiError>;
  if (code === 'INVALID_KEY') return 'invalid';
  return code === 'RATE_LIMITED' ? 'limited' : 'unavailable';
}
