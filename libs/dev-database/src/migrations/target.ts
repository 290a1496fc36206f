import { join } from 'node:path';
import { variablePrefix, workspaceRoot, type DatabaseService } from '../services.ts';
import { assertReachable, provisionDatabase } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { runningPostgres, startPostgres } from '../postgres/postgres.ts';

export interface Target {
  services: readonly DatabaseService[];
  environment: NodeJS.ProcessEnv;
  /** Where the embedded server keeps its data. */
  directory?: string;
}

/**
 * Runs work with the databases to migrate: those named in the environment, and for the others the embedded server of `npm
 * start`, which is started temporarily unless it runs.
 *
 * @param work gets a function that gives the address by which a service's database is owned
 */
export async function withTarget<T>(
  target: Target,
  work: (ownerUrl: (service: DatabaseService) => Promise<string>) => Promise<T>,
): Promise<T> {
  const { services, environment, directory = join(workspaceRoot, '.tenantry', 'postgres') } = target;
  const named = namedUrls(services, environment);
  for (const address of named.values()) await assertReachable(address);
  if (services.every(({ name }) => named.has(name))) {
    return work(async ({ name }) => named.get(name)?.url ?? '');
  }
  const running = await runningPostgres(directory);
  const started = running ? undefined : await startPostgres({ directory });
  const adminUrl = (running ?? started)?.adminUrl ?? '';
  try {
    return await work(
      async ({ name }) =>
        named.get(name)?.url ?? (await provisionDatabase({ adminUrl, service: name })).ownerUrl,
    );
  } finally {
    await started?.stop();
  }
}

/** The configured addresses, each with the setting that it comes from, by service. */
function namedUrls(services: readonly DatabaseService[], environment: NodeJS.ProcessEnv) {
  const general = 'MIGRATION_DATABASE_URL';
  if (environment[general] && services.length > 1) {
    throw new ExplainedError(
      'MIGRATION_DATABASE_URL is the database of one service: name that service, or set one address for each, as LEADS_SERVICE_MIGRATION_DATABASE_URL.',
    );
  }
  const named = new Map<string, { readonly url: string; readonly setting: string }>();
  for (const { name } of services) {
    const setting = [`${variablePrefix(name)}_${general}`, general].find((known) => environment[known]);
    if (setting !== undefined) named.set(name, { url: environment[setting] ?? '', setting });
  }
  return named;
}
