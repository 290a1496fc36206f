import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** What is listened to. */
export interface NotificationsOptions {
  readonly connectionString: string;
  readonly channel: string;
  /** Called with what a notification carries. */
  readonly onNotification: (payload: string) => void;
  /** Called when a connection is lost or cannot be made; it is made again. */
  readonly onFailure: (error: unknown) => void;
  /** Named in pg_stat_activity. */
  readonly applicationName?: string;
}

/** A connection of its own that hears what other instances commit. */
export interface Notifications {
  start(): void;
  close(): Promise<void>;
}

const reconnectMs = 1_000;

/**
 * Listens from its start until it is closed, on one connection beside the pool: LISTEN belongs to a connection.
 *
 * A hint and no more. Behind a pooler in transaction mode nothing may ever be heard, so anything that is woken by it has
 * to poll as well.
 */
export function listenForNotifications(options: NotificationsOptions): Notifications {
  const { connectionString, channel, onNotification, onFailure, applicationName = 'notifications' } = options;
  const ending = new AbortController();
  let connected: pg.Client | undefined;

  async function listen(): Promise<void> {
    const connection = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: applicationName,
    });
    const ended = new Promise<Error | undefined>((resolve) => {
      connection.on('error', resolve).on('end', () => resolve(undefined));
    });
    connection.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await connection.connect();
      connected = connection;
      if (ending.signal.aborted) return;
      await connection.query(`LISTEN ${connection.escapeIdentifier(channel)}`);
      const error = await ended;
      if (error !== undefined) throw error;
    } finally {
      connected = undefined;
      await connection.end().catch(() => undefined);
    }
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!ending.signal.aborted) onFailure(error);
      });
      await delay(reconnectMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  }

  let listening: Promise<void> | undefined;
  return {
    start() {
      listening = keepListening();
    },
    async close() {
      ending.abort();
      // One that is still connecting is ended once it has: pg waits for ever otherwise.
      await connected?.end().catch(() => undefined);
      await listening;
    },
  };
}
