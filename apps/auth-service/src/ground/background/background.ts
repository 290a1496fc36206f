import { Notifications } from '@tenantry/outbox';
import type { BackgroundWork } from '@tenantry/service';
import type { Ground } from '../ground.ts';
import { Maintenance } from './maintenance.ts';
import { RepeatedWork } from './repeated-work.ts';
import type { Sweep } from './sweep.repository.ts';

/** What a wing does beside answering requests. */
export interface Background {
  readonly work?: readonly BackgroundWork[];
  /** Called, by table, when something was committed to it. A hint that may be missed, so each of them also polls. */
  readonly wakes?: Readonly<Record<string, () => void>>;
  /** Deletes expired rows, by a name for the log. */
  readonly sweeps?: Readonly<Record<string, Sweep>>;
}

const maintenanceIntervalMs = 10 * 60 * 1_000;

/** The background of several wings, with one connection that learns of changes and one job that sweeps, for all of them. */
export function createBackground(
  { config, logger, database }: Pick<Ground, 'config' | 'logger' | 'database'>,
  wings: readonly { readonly background: Background }[],
): BackgroundWork[] {
  const parts = wings.map(({ background }) => background);
  const wakes = Object.assign({}, ...parts.map((part) => part.wakes)) as NonNullable<Background['wakes']>;
  const sweeps = Object.assign({}, ...parts.map((part) => part.sweeps)) as NonNullable<Background['sweeps']>;
  const notifications = new Notifications({
    connectionString: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    applicationName: 'auth-service notifications',
    channel: 'tenantry_auth',
    onNotification: (table) => wakes[table]?.(),
    onFailure: (error) => logger.warn({ err: error }, 'notifications are not received; polling continues'),
  });
  const maintenance = new Maintenance({ database, sweeps, logger });
  const sweeping = new RepeatedWork({
    name: 'maintenance',
    intervalMs: maintenanceIntervalMs,
    run: (ending) => maintenance.run(ending),
    logger,
  });
  return [notifications, ...parts.flatMap(({ work = [] }) => work), sweeping];
}
