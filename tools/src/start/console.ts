import { join } from 'node:path';
import { consoleDirectory, hasConsole } from '../console/build-console.ts';
import { isBuilt, keptBuild, makeKeptBuild } from '../console/kept-builds.ts';
import { consoleAddresses, type Surroundings } from './environment.ts';
import type { Progress } from './progress.ts';

interface ConsoleStart {
  workspaceRoot: string;
  run: 'source' | 'build';
  progress: Progress;
  signal: AbortSignal;
  surroundings: Surroundings;
}

/**
 * Has the gateway serve the console, and letters link to its pages, unless a person has said otherwise. It is built where
 * its sources have changed since; one that cannot be built is left out.
 */
export async function withConsole(start: ConsoleStart): Promise<Surroundings> {
  const { surroundings } = start;
  const { env } = surroundings;
  if (env['CONSOLE_DIRECTORY'] !== undefined) return surroundings;
  const directory = await consoleFor(start);
  if (directory === undefined) return surroundings;
  const gateway = surroundings.services.find(({ prefix }) => prefix === undefined);
  const addresses = gateway ? consoleAddresses(surroundings, gateway) : {};
  return { ...surroundings, env: { ...env, ...addresses, CONSOLE_DIRECTORY: directory } };
}

async function consoleFor({
  workspaceRoot,
  run,
  progress,
  signal,
}: ConsoleStart): Promise<string | undefined> {
  if (!hasConsole(workspaceRoot)) return undefined;
  if (run === 'build') {
    const built = join(workspaceRoot, consoleDirectory);
    return isBuilt(built) ? built : undefined;
  }
  const directory = await keptBuild(workspaceRoot);
  try {
    if (!isBuilt(directory)) {
      await progress.step('console', () => makeKeptBuild({ workspaceRoot, directory, signal }));
    }
    return directory;
  } catch {
    signal.throwIfAborted();
    progress.note(
      '! the console is left out, since it cannot be built: npx nx build @tenantry/console says why',
    );
    return undefined;
  }
}
