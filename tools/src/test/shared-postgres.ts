import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ExplainedError } from '../explained-error.ts';

/** The one server all tests of a run make their databases on. */
export interface SharedPostgres {
  adminUrl: string;
  stop: () => Promise<void>;
}

/** Starts it as a program of its own: test-kit stands on the tools, so the tools cannot import it. */
export async function startSharedPostgres(workspaceRoot: string): Promise<SharedPostgres> {
  const program = join(workspaceRoot, 'libs/test-kit/src/shared-server.ts');
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', program], {
    cwd: workspaceRoot,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const message = once(child, 'message').then(([sent]) => sent as { adminUrl: string });
  const first = await Promise.race([message, ended.then(() => undefined)]);
  if (first === undefined) throw new ExplainedError('No PostgreSQL for the tests: see the message above.');
  return {
    adminUrl: first.adminUrl,
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
