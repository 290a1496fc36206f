import { join } from 'node:path';
import { databaseNames, ExplainedError, provisionDatabase, runningPostgres } from '@tenantry/dev-database';
import { readSecrets } from '../secrets.ts';
import { discoverServices, type ServiceDescription } from '../services.ts';
import { ownDatabase, readEnvironment, type Environment } from '../start/environment.ts';

/** Where the operations on signing keys run: in the auth service's own code, on its database and its secrets. */
export interface KeysProgram {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
}

/** What {@link keysProgram} needs. */
export interface KeysOptions {
  readonly workspaceRoot: string;
  readonly env: Environment;
  /** Holds secrets and data of `npm start`; `.tenantry` at the root by default. */
  readonly directory?: string;
}

/** @throws ExplainedError when neither the environment names a database nor `npm start` runs one. */
export async function keysProgram(args: readonly string[], options: KeysOptions): Promise<KeysProgram> {
  const { workspaceRoot, directory = join(workspaceRoot, '.tenantry') } = options;
  const env = readEnvironment(workspaceRoot, options.env);
  const auth = discoverServices(workspaceRoot).find(({ prefix }) => prefix === '/api/auth');
  if (auth === undefined) throw new ExplainedError('No service answers /api/auth.');
  const secrets = await readSecrets(join(directory, 'secrets.json'));
  return {
    args: ['--conditions=@tenantry/source', 'src/keys.ts', ...args],
    cwd: auth.directory,
    env: {
      ...env,
      AUTH_SECRET: env['AUTH_SECRET'] || secrets['AUTH_SECRET'],
      DATABASE_URL: ownDatabase(auth, env).url ?? (await embeddedDatabase(auth, directory)),
    },
  };
}

async function embeddedDatabase({ name }: ServiceDescription, directory: string): Promise<string> {
  const running = await runningPostgres(join(directory, 'postgres'));
  if (running) return (await provisionDatabase({ adminUrl: running.adminUrl, service: name })).runtimeUrl;
  throw new ExplainedError(
    `${databaseNames(name).database} is not running: begin with npm start, or set AUTH_SERVICE_DATABASE_URL and AUTH_SECRET.`,
  );
}
