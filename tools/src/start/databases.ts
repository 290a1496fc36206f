import { join } from 'node:path';
import {
  applyMigrations,
  assertReachable,
  provisionDatabase,
  startPostgres,
  type Postgres,
} from '@tenantry/dev-database';
import type { ServiceDescription } from '../services.ts';
import { databaseSettings, ownDatabase, type Environment } from './environment.ts';
import type { Progress } from './progress.ts';
import { Supervisor, type Run, type Supervised } from './supervisor.ts';

/** The databases of all services. */
export interface Databases {
  /** Makes a service's database ready: provisioned and migrated. Its address; undefined without a database. */
  prepare: (service: ServiceDescription) => Promise<string | undefined>;
  /** What runs of them; undefined where nothing is embedded. */
  server: Supervisor | undefined;
  /** The address of its superuser; undefined where nothing is embedded. */
  adminUrl: string | undefined;
}

/** What {@link openDatabases} needs. */
export interface DatabasesOptions {
  services: readonly ServiceDescription[];
  env: Environment;
  /** Where an embedded server keeps its data. */
  directory: string;
  progress: Progress;
  signal: AbortSignal;
  events: Pick<Supervised, 'onEvent' | 'onGiveUp'>;
}

/** Starts an embedded PostgreSQL unless every service has an address of its own in the environment. */
export async function openDatabases(options: DatabasesOptions): Promise<Databases> {
  const { services, env, progress } = options;
  const embedded = services.some((service) => service.hasDatabase && !ownDatabase(service, env).url);
  const server = embedded ? await progress.step('PostgreSQL', () => runEmbedded(options)) : undefined;
  return {
    async prepare(service) {
      if (!service.hasDatabase) return undefined;
      const { url, migrationUrl } = ownDatabase(service, env);
      const settings = databaseSettings(service);
      if (migrationUrl) await assertReachable({ url: migrationUrl, setting: settings.migrationUrl });
      if (url) await assertReachable({ url, setting: settings.url });
      const urls =
        url === undefined
          ? await provisionDatabase({ adminUrl: server?.adminUrl ?? '', service: service.name })
          : { runtimeUrl: url, ownerUrl: migrationUrl };
      // An address without a migrating role: the operator migrates, and the service refuses one that is behind.
      if (urls.ownerUrl) await applyMigrations({ projectRoot: service.directory, url: urls.ownerUrl });
      return urls.runtimeUrl;
    },
    server: server?.supervisor,
    adminUrl: server?.adminUrl,
  };
}

/** Keeps PostgreSQL running, always on the port it had first: the services know that one. */
async function runEmbedded({ directory, signal, events }: DatabasesOptions) {
  let postgres: Postgres | undefined;
  const start = async (stopping: AbortSignal): Promise<Run> => {
    const port = postgres?.port;
    postgres = await startPostgres({ directory: join(directory, 'postgres'), ...(port && { port }) });
    const running = postgres;
    if (stopping.aborted) {
      await running.stop();
      stopping.throwIfAborted();
    }
    const ended = running.ended.then(({ code, signal: by }) => by ?? `exit code ${code}`);
    return { ended, stop: () => running.stop() };
  };
  const supervisor = await Supervisor.start({ name: 'PostgreSQL', start, ...events }, signal);
  return { adminUrl: postgres?.adminUrl ?? '', supervisor };
}
