import { join } from 'node:path';
import { databaseNames, ExplainedError, provisionDatabase, runningPostgres } from '@tenantry/dev-database';
import type { ServiceDescription } from './services.ts';
import { databaseSettings, ownDatabase, type Environment } from './start/environment.ts';

/**
 * The database of a service, as its role: the one that the environment names, or that of `npm start`.
 *
 * @param directory the data of `npm start`
 * @param besides settings that its caller needs too where nothing runs
 * @throws ExplainedError where there is neither
 */
export async function databaseOf(
  service: ServiceDescription,
  { env, directory }: { readonly env: Environment; readonly directory: string },
  besides: readonly string[] = [],
): Promise<string> {
  const own = ownDatabase(service, env).url;
  if (own) return own;
  const { name } = service;
  const running = await runningPostgres(join(directory, 'postgres'));
  if (running) return (await provisionDatabase({ adminUrl: running.adminUrl, service: name })).runtimeUrl;
  const settings = [databaseSettings(service).url, ...besides].join(' and ');
  throw new ExplainedError(
    `${databaseNames(name).database} is not running: begin with npm start, or set ${settings}.`,
  );
}
