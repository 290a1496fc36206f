import { join } from 'node:path';
import { variablePrefix, workspaceRoot, type DatabaseService } from '../services.ts';
import { provisionDatabase } from '../databases.ts';
import { ExplainedError } from '../explained-error.ts';
import { runningPostgres, startPostgres } from '../postgres/index.ts';

/** Finds the address that owns a service's database. */
export type OwnerUrl = (service: DatabaseService) => Promise<string>;

export interface Target {
  services: readonly DatabaseService[];
  environment: NodeJS.ProcessEnv;
  /** Where the embedded server keeps its data. */
  directory?: string;
}

/**
 * Runs work with the databases to migrate: those the environment names, and for the others the embedded server of
 * `npm start`, which is started for the time being unless it runs.
 */
export async function withTarget<T>(target: Target, work: (ownerUrl: OwnerUrl) => Promise<T>): Promise<T> {
  const { services, environment, directory = join(workspaceRoot, '.tenantry', 'postgres') } = target;
  const named = namedUrls(services, environment);
  if (services.every(({ name }) => named.has(name))) {
    return work(async ({ name }) => named.get(name) ?? '');
  }
  const running = await runningPostgres(directory);
  const started = running ? undefined : await startPostgres({ directory });
  const adminUrl = (running ?? started)?.adminUrl ?? '';
  try {
    return await work(
      async ({ name }) => named.get(name) ?? (await provisionDatabase({ adminUrl, service: name })).ownerUrl,
    );
  } finally {
    await started?.stop();
  }
}

function namedUrls(
  services: readonly DatabaseService[],
  environment: NodeJS.ProcessEnv,
): Map<string, string> {
  const general = environment['MIGRATION_DATABASE_URL'];
  if (general && services.length > 1) {
    throw new ExplainedError(
      'MIGRATION_DATABASE_URL is the database of one service: name that service, or set one address for each, as LEADS_SERVICE_MIGRATION_DATABASE_URL.',
    );
  }
  const named = new Map<string, string>();
  for (const { name } of services) {
    const url = environment[`${variablePrefix(name)}_MIGRATION_DATABASE_URL`] || general;
    if (url) named.set(name, url);
  }
  return named;
}
