import { listenForNotifications, type Notifications } from '@tenantry/outbox';
import type { Measurement } from '@tenantry/service-kit/metrics';
import type { Ground } from '../ground.ts';
import { createMaintenanceRepository } from './maintenance.repository.ts';
import { createMaintenance } from './maintenance.ts';
import type { Sweep } from './sweep.repository.ts';

/** What a wing does beside answering requests. */
export interface Background {
  start?(): void;
  /** Resolves once the work in hand is done. */
  close?(): Promise<void>;
  /** Called, by table, when something was committed to it. A hint that may be missed, so each of them also polls. */
  readonly wakes?: Readonly<Record<string, () => void>>;
  /** Deletes what is over, by a name for the log. */
  readonly sweeps?: Readonly<Record<string, Sweep>>;
  /** What Prometheus reads of the wing. */
  readonly measurements?: readonly Measurement[];
}

/** The background of a whole instance. */
export interface RunningBackground {
  readonly measurements: readonly Measurement[];
  start(): void;
  close(): Promise<void>;
}

/** Runs the background of several wings: one connection that hears of changes, one job that sweeps. */
export function createBackground(
  { config, logger, database }: Pick<Ground, 'config' | 'logger' | 'database'>,
  parts: readonly Background[],
): RunningBackground {
  const wakes = Object.assign({}, ...parts.map((part) => part.wakes)) as NonNullable<Background['wakes']>;
  const sweeps = Object.assign({}, ...parts.map((part) => part.sweeps)) as NonNullable<Background['sweeps']>;
  const maintenance = createMaintenance({
    repository: createMaintenanceRepository(database),
    sweeps,
    logger,
  });
  let notifications: Notifications | undefined;

  return {
    measurements: parts.flatMap(({ measurements = [] }) => measurements),
    start() {
      notifications = listenForNotifications({
        connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
        applicationName: 'auth-service notifications',
        channel: 'tenantry_auth',
        onNotification: (table) => wakes[table]?.(),
        onFailure: (error) =>
          logger.warn({ err: error }, 'notifications are not received; polling continues'),
      });
      for (const part of parts) part.start?.();
      maintenance.start();
    },
    async close() {
      await Promise.all([
        notifications?.close(),
        maintenance.close(),
        ...parts.map((part) => part.close?.()),
      ]);
    },
  };
}
