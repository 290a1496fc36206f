import { AsyncLocalStorage } from 'node:async_hooks';
import { isUnavailable } from '@tenantry/service/failures';
import type { BackgroundWork } from '@tenantry/service/work';
import { inTrace } from '@tenantry/tracing';
import type { JSONWebKeySet } from 'jose';
import type { Ground } from '../../ground/index.ts';
import { publishedKeysAt, dueSteps, signingKeyAt, type KeySchedule } from './key-schedule.ts';
import { openSigningKey, sealSigningKey, type OpenSigningKey, type StoredSigningKey } from './signing-key.ts';
import { SigningKeysRepository, type KeySnapshot } from './signing-keys.repository.ts';

interface SigningKeysDependencies extends Pick<Ground, 'database' | 'secrets' | 'logger'> {
  readonly schedule: KeySchedule;
  /** Default: {@link signingLeaseMs}. */
  readonly leaseMs?: number;
}

/** Polling interval, in addition to notifications. */
const refreshMs = 2_000;
/** How long a key may sign after it was last seen in the database: then none of a removed key can appear. */
export const signingLeaseMs = 5_000;
const seekIntervalMs = 1_000;
const renewalMs = 60 * 60 * 1_000;

interface KnownKey {
  readonly kid: string;
  readonly signsFrom: Date;
  /** The key, or why it cannot be used. */
  readonly opened: OpenSigningKey | Error;
}

/**
 * The keys of this process, each decrypted once, kept up to date with the database. The first reading of an empty database
 * creates one.
 */
export class SigningKeys implements BackgroundWork {
  readonly #dependencies: SigningKeysDependencies;
  readonly #repository = new SigningKeysRepository();
  /** A caller may be in a transaction, on whose connection and in whose scope this must not run. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #keys: readonly KnownKey[] | undefined;
  #published: { readonly name: string; readonly jwks: JSONWebKeySet } = { name: '', jwks: { keys: [] } };
  /** Offset from this process's monotonic clock to the database's. */
  #clockOffsetMs = 0;
  #confirmedAtMs = -Infinity;
  #soughtAtMs = -Infinity;
  #renewedAtMs = -Infinity;
  #reading: Promise<void> | undefined;
  #readAgain = false;
  #failing = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(dependencies: SigningKeysDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The key that signs now.
   *
   * @throws if the database could not be read for longer than the lease: the key may have been withdrawn.
   */
  async signer(): Promise<OpenSigningKey> {
    const { leaseMs = signingLeaseMs } = this.#dependencies;
    if (performance.now() - this.#confirmedAtMs > leaseMs) await this.#refresh();
    const key = signingKeyAt(this.#keys ?? [], this.#now());
    if (key === undefined) throw new Error('There is no signing key, and none could be made.');
    if (key.opened instanceof Error) throw key.opened;
    return key.opened;
  }

  /** The JWK set for verifiers; the same object until the keys change. */
  async publicKeys(): Promise<JSONWebKeySet> {
    if (this.#keys === undefined) await this.#refresh();
    const published = publishedKeysAt(this.#keys ?? [], this.#now(), this.#dependencies.schedule);
    const keys = published.flatMap(({ opened }) => (opened instanceof Error ? [] : [opened.publicJwk]));
    const name = keys.map(({ kid }) => kid).join();
    if (name !== this.#published.name) this.#published = { name, jwks: { keys } };
    return this.#published.jwks;
  }

  /** Looks for a key that is not known here: another instance may just have made it. At most once a second. */
  async seek(): Promise<void> {
    if (performance.now() - this.#soughtAtMs < seekIntervalMs) return this.#reading;
    this.#soughtAtMs = performance.now();
    await this.#refresh();
  }

  /** Keys were written. */
  wake(): void {
    if (this.#closed) return;
    if (this.#reading) this.#readAgain = true;
    else void this.#refreshInBackground();
  }

  /** Follows the database from now on. A key that cannot be decrypted stops the start; a database that is down does not. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.#refreshInBackground(), refreshMs).unref();
    await this.signer().catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#readAgain = false;
    await this.#reading?.catch(() => undefined);
  }

  #now(): Date {
    return new Date(performance.now() + this.#clockOffsetMs);
  }

  async #refreshInBackground(): Promise<void> {
    try {
      await this.#refresh();
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#dependencies.logger.warn({ err: error }, 'the signing keys cannot be read');
      this.#failing = true;
    }
  }

  /** Reads once for all concurrent callers. */
  #refresh(): Promise<void> {
    this.#reading ??= this.#outside(() => this.#read()).finally(() => {
      this.#reading = undefined;
      if (!this.#readAgain) return;
      this.#readAgain = false;
      void this.#refreshInBackground();
    });
    return this.#reading;
  }

  async #read(): Promise<void> {
    const startedAtMs = performance.now();
    const snapshot = await this.#doWhatIsDue(
      await this.#repository.read(this.#dependencies.database.unscoped),
    );
    const midwayMs = (startedAtMs + performance.now()) / 2;
    const known = this.#keys;
    this.#keys = await Promise.all(snapshot.keys.map((stored) => this.#know(stored, known)));
    this.#clockOffsetMs = snapshot.at.getTime() - midwayMs;
    this.#confirmedAtMs = startedAtMs;
    await this.#renewEncryption(snapshot.keys);
  }

  /** Of several instances that find something due, the first does it and the others find it done. */
  async #doWhatIsDue(snapshot: KeySnapshot): Promise<KeySnapshot> {
    const { database, secrets, schedule, logger } = this.#dependencies;
    if (dueSteps(snapshot.keys, snapshot.at, schedule).length === 0) return snapshot;
    return inTrace('change signing keys', () =>
      this.#repository.change(database.unscoped, secrets.current, ({ keys, at }) => {
        const steps = dueSteps(keys, at, schedule);
        if (steps.length > 0) logger.info({ steps }, 'the signing keys change');
        return steps;
      }),
    );
  }

  /** A key that cannot be decrypted prevents the start; later it is logged, and the others stay in use. */
  async #know(stored: StoredSigningKey, known: readonly KnownKey[] | undefined): Promise<KnownKey> {
    const { kid, signsFrom } = stored;
    const before = known?.find((key) => key.kid === kid)?.opened;
    if (before !== undefined && !(before instanceof Error)) return { kid, signsFrom, opened: before };
    try {
      return { kid, signsFrom, opened: await openSigningKey(stored, this.#dependencies.secrets) };
    } catch (error) {
      if (known === undefined) throw error;
      if (before === undefined) this.#dependencies.logger.error({ err: error }, 'a signing key is refused');
      return { kid, signsFrom, opened: error as Error };
    }
  }

  /**
   * After a rotation of AUTH_SECRET, so that the previous one can be removed. At the start and seldom after it: while old and
   * new instances run side by side, each would undo the other's work.
   */
  async #renewEncryption(stored: readonly StoredSigningKey[]): Promise<void> {
    if (performance.now() - this.#renewedAtMs < renewalMs) return;
    const { secrets, database } = this.#dependencies;
    for (const { kid, secretId } of stored) {
      const opened = this.#keys?.find((key) => key.kid === kid)?.opened;
      const previous = secretId !== secrets.current.id && secrets.find(secretId);
      if (!previous || opened === undefined || opened instanceof Error) continue;
      const sealed = { kid, ...sealSigningKey(opened, secrets) };
      await this.#repository.replaceEncryption(database.unscoped, sealed, secretId);
    }
    this.#renewedAtMs = performance.now();
  }
}
