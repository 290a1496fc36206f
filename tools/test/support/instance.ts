import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { applyMigrations, databaseService, provisionDatabase, type Postgres } from '@tenantry/dev-database';
import { testLogOf } from '@tenantry/test-kit';
import { expect } from 'vitest';
import { checkoutRoot } from './checkout.ts';
import { eventually } from './tenantry.ts';

/** One instance of a service: a process of its own. */
export interface Instance {
  url: string;
  /** Everything it logged. */
  logs: () => string;
  pid: number;
  /** SIGKILL; resolves when it is gone. */
  kill: () => Promise<void>;
  /** SIGTERM, as a supervisor sends it; resolves with the exit code. */
  terminate: () => Promise<number | null>;
}

/** A test run that is killed leaves no service behind. */
const endWithParent = `--import=${new URL('../../src/start/end-with-parent.ts', import.meta.url).href}`;

/** Has a process enter a control group before it becomes the program. */
const enter = ['-c', 'echo $$ > "$0" && exec "$@"'] as const;

/**
 * Starts a service of a checkout with nothing but this environment, and waits until it is ready.
 *
 * @param within the file of a control group that its process writes its id to
 */
export async function startInstance(
  service: string,
  env: Readonly<Record<string, string>> & { readonly PORT: string },
  checkout = checkoutRoot,
  within?: string,
): Promise<Instance> {
  const program = [process.execPath, endWithParent, '--conditions=@tenantry/source', 'src/main.ts'] as const;
  const [command, ...args] =
    within === undefined ? program : (['/bin/sh', ...enter, within, ...program] as const);
  const child = spawn(command, args, {
    cwd: join(checkout, 'apps', service),
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_COMPILE_CACHE_PORTABLE: process.env['NODE_COMPILE_CACHE_PORTABLE'],
      LOG_LEVEL: 'trace',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const closed = once(child, 'close').then(([code]) => code as number | null);
  const log = testLogOf(child);
  const url = `http://127.0.0.1:${env.PORT}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`${service} ended:\n${log.text()}`);
    const answer = await fetch(`${url}/api/health/ready`).catch(() => undefined);
    expect(answer?.status, log.text()).toBe(200);
  });
  return {
    url,
    logs: log.text,
    pid: child.pid ?? 0,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    terminate() {
      child.kill('SIGTERM');
      return closed;
    },
  };
}

/** Makes a service's database and applies the migrations of a checkout; its address for the service. */
export async function migratedDatabase(
  postgres: Pick<Postgres, 'adminUrl'>,
  service: string,
  checkout = checkoutRoot,
): Promise<string> {
  const { ownerUrl, runtimeUrl } = await provisionDatabase({ adminUrl: postgres.adminUrl, service });
  await applyMigrations({ projectRoot: databaseService(service, checkout).projectRoot, url: ownerUrl });
  return runtimeUrl;
}
