import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** What is listened to. */
export interface NotificationsOptions {
  readonly connectionString: string;
  /** Called with the name of a table that something was committed to. */
  readonly onChange: (table: string) => void;
  /** Called when a connection is lost or cannot be made; it is made again. */
  readonly onFailure: (error: unknown) => void;
}

/** A connection of its own that hears what other instances write. */
export interface Notifications {
  close(): Promise<void>;
}

const channel = 'tenantry_auth';
const reconnectMs = 1_000;

/**
 * Listens until it is closed, on one connection beside the pool: LISTEN belongs to a connection.
 *
 * A hint and no more. Behind a pooler in transaction mode nothing may ever be heard, so every listener also polls.
 */
export function listenForChanges(options: NotificationsOptions): Notifications {
  const { connectionString, onChange, onFailure } = options;
  const ending = new AbortController();
  let client: pg.Client | undefined;

  async function listen(): Promise<void> {
    client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
      application_name: 'auth-service notifications',
    });
    const connection = client;
    const ended = new Promise<Error | undefined>((resolve) => {
      connection.on('error', resolve).on('end', () => resolve(undefined));
    });
    client.on('notification', ({ payload = '' }) => onChange(payload));
    await client.connect();
    if (ending.signal.aborted) return;
    await client.query(`LISTEN ${channel}`);
    const error = await ended;
    if (error !== undefined) throw error;
  }

  async function keepListening(): Promise<void> {
    while (!ending.signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!ending.signal.aborted) onFailure(error);
      });
      await client?.end().catch(() => undefined);
      await delay(reconnectMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
    }
  }

  const listening = keepListening();
  return {
    async close() {
      ending.abort();
      await client?.end().catch(() => undefined);
      await listening;
    },
  };
}
