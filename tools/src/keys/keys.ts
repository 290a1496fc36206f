import { join } from 'node:path';
import { ExplainedError } from '@tenantry/dev-database';
import { databaseOf } from '../running-database.ts';
import { readSecrets } from '../secrets.ts';
import { discoverServices } from '../services.ts';
import { readEnvironment, type Environment } from '../start/environment.ts';

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
      DATABASE_URL: await databaseOf(auth, { env, directory }, ['AUTH_SECRET']),
    },
  };
}
