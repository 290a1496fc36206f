import type { Logger } from '@tenantry/service-kit';
import type { Config } from './config.ts';
import type { AuthDatabase } from './database.ts';
import { eventsTable } from './events/events.repository.ts';
import { createFeed, type Feed } from './events/feeds/feed.ts';
import { createFeedRepository, type FeedTable } from './events/feeds/feed.repository.ts';
import { listenForChanges, type Notifications } from './events/feeds/notifications.repository.ts';
import { Tail } from './events/feeds/tail.ts';
import { createMailTransport } from './mail/mail-transport.ts';
import { createMailQueue } from './mail/mail-worker.repository.ts';
import { createMailWorker } from './mail/mail-worker.ts';
import { createTemplates } from './mail/templates.ts';
import { createMaintenanceRepository, standardSweeps } from './ground/maintenance/maintenance.repository.ts';
import { createMaintenance, type Maintenance, type Sweep } from './ground/maintenance/maintenance.ts';
import { revocationsTable } from './tokens/revocations/revocations.repository.ts';
import type { SecretRing } from './ground/secrets/auth-secret.ts';

/** What the background is made of. */
export interface BackgroundDependencies {
  readonly config: Config;
  readonly logger: Logger;
  readonly database: AuthDatabase;
  readonly secrets: SecretRing;
  readonly now: () => Date;
  /** Who else is told, by its name, that something was committed to a table. */
  readonly listeners?: Readonly<Record<string, () => void>>;
  /** What each feature deletes of its own when it is over. */
  readonly sweeps?: Readonly<Record<string, Sweep>>;
}

/** What an instance does beside answering requests. */
export interface Background {
  readonly revocations: Feed;
  readonly events: Feed;
  readonly maintenance: Maintenance;
  start(): void;
  close(): Promise<void>;
}

/** A consumer that was away for longer reads everything anew. */
const eventRetentionSeconds = 7 * 24 * 60 * 60;
const eventPageMax = 500;

/** Makes the feeds, the sending of mail and the maintenance of one instance. */
export function createBackground(dependencies: BackgroundDependencies): Background {
  const { config, logger, database, secrets, sweeps = {}, listeners = {} } = dependencies;
  const revocations = feedOf(dependencies, revocationsTable, { pageMax: Number.MAX_SAFE_INTEGER });
  const events = feedOf(dependencies, eventsTable, {
    pageMax: eventPageMax,
    retentionSeconds: eventRetentionSeconds,
  });
  const mail = createMailWorker({
    queue: createMailQueue(database),
    secrets,
    compose: createTemplates({ authUrl: config.AUTH_URL, frontendUrl: config.FRONTEND_URL }),
    transport: createMailTransport({
      smtpUrl: config.SMTP_URL,
      directory: config.MAIL_DIRECTORY,
      from: config.MAIL_FROM,
    }),
    logger,
  });
  const maintenance = createMaintenance({
    repository: createMaintenanceRepository(database),
    sweeps: { ...standardSweeps(database, eventRetentionSeconds), ...sweeps },
    logger,
  });
  const woken: Readonly<Record<string, () => void>> = {
    revocations: revocations.wake,
    events: events.wake,
    mail_outbox: () => mail.wake(),
    ...listeners,
  };
  let notifications: Notifications | undefined;

  return {
    revocations: revocations.feed,
    events: events.feed,
    maintenance,
    start() {
      notifications = listenForChanges({
        connectionString: config.DATABASE_URL,
        onChange: (table) => woken[table]?.(),
        onFailure: (error) => logger.warn({ err: error }, 'notifications are not heard; polling goes on'),
      });
      mail.start();
      maintenance.start();
    },
    async close() {
      await Promise.all([notifications?.close(), mail.close(), maintenance.close()]);
    },
  };
}

function feedOf(
  { database, logger, now }: BackgroundDependencies,
  table: FeedTable,
  limits: { readonly pageMax: number; readonly retentionSeconds?: number },
) {
  const repository = createFeedRepository(database, table);
  const tail = new Tail({
    repository,
    onFailure: (error) => logger.warn({ feed: table.table, err: error }, 'a feed cannot be read'),
  });
  return { feed: createFeed({ repository, tail, now, ...limits }), wake: () => tail.wake() };
}
