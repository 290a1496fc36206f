import { Notifications, type BackgroundWork } from '@tenantry/service/work';
import type { Ground } from '../ground.ts';
import { Maintenance } from './maintenance.ts';
import { RepeatedWork } from './repeated-work.ts';
import type { Sweep } from './sweep.repository.ts';

/** The background work of a wing. */
export interface Background {
  readonly work?: readonly BackgroundWork[];
  /** Called, by table, after a commit to it. Notifications may be missed, so each also polls. */
  readonly wakes?: Readonly<Record<string, () => void>>;
  /** Deletes expired rows, by a name for the log. */
  readonly sweeps?: Readonly<Record<string, Sweep>>;
}

const maintenanceIntervalMs = 10 * 60 * 1_000;

/** The background work of all wings, sharing one connection for notifications and one sweeping job. */
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
