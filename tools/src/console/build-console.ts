import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Where the console is, below the root of a checkout or of a bundle. */
export const consoleHome = 'apps/console';

/** Where a build of it is, below the same. */
export const consoleDirectory = `${consoleHome}/dist`;

/** Whether a checkout has one. */
export const hasConsole = (workspaceRoot: string): boolean =>
  existsSync(join(workspaceRoot, consoleHome, 'package.json'));

export interface ConsoleBuild {
  workspaceRoot: string;
  /** Where it is written; what was there goes. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/**
 * Builds the console. It runs in a process of its own, so that what is started meanwhile does not wait for it.
 *
 * @throws Error with what the build wrote, when it fails.
 */
export async function buildConsole({ workspaceRoot, directory, signal }: ConsoleBuild): Promise<void> {
  const program = join(workspaceRoot, 'node_modules/vite/bin/vite.js');
  const build = spawn(process.execPath, [program, 'build', '--logLevel', 'error'], {
    cwd: join(workspaceRoot, consoleHome),
    env: { ...process.env, CONSOLE_OUT_DIR: directory, NODE_ENV: 'production', NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  const [written] = await Promise.all([text(build.stderr), once(build, 'exit')]);
  if (build.exitCode !== 0) throw new Error(written);
}
