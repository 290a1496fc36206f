import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** The channel. */
export interface NotificationsOptions {
  readonly connectionString: string;
  readonly channel: string;
  /** Called with what a notification carries. */
  readonly onNotification: (payload: string) => void;
  /** Called when the connection is lost or cannot be established; it is retried. */
  readonly onFailure: (error: unknown) => void;
  /** Named in pg_stat_activity. */
  readonly applicationName?: string;
}

const reconnectMs = 1_000;

/**
 * Notifications of other instances' commits, received on one connection outside the pool until it is closed: LISTEN is bound to
 * a connection.
 *
 * Only a hint: behind a pooler in transaction mode none may ever arrive, so anything that is woken by it must also poll.
 */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #ending = new AbortController();
  #connected: pg.Client | undefined;
  #listening: Promise<void> | undefined;

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#listening = this.#keepListening();
  }

  async close(): Promise<void> {
    this.#ending.abort();
    // A connection that is still being opened is ended afterwards: otherwise pg waits for ever.
    await this.#connected?.end().catch(() => undefined);
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.#listen().catch((error: unknown) => {
        if (!signal.aborted) this.#options.onFailure(error);
      });
      await delay(reconnectMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #listen(): Promise<void> {
    const { connectionString, channel, onNotification, applicationName } = this.#options;
    const connection = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: applicationName ?? 'notifications',
    });
    const ended = new Promise<Error | undefined>((resolve) => {
      connection.on('error', resolve).on('end', () => resolve(undefined));
    });
    connection.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await connection.connect();
      this.#connected = connection;
      if (this.#ending.signal.aborted) return;
      await connection.query(`LISTEN ${connection.escapeIdentifier(channel)}`);
      const error = await ended;
      if (error !== undefined) throw error;
    } finally {
      this.#connected = undefined;
      await connection.end().catch(() => undefined);
    }
  }
}
