import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { portObstacle } from '@tenantry/dev-database';
import { patience, testLogOf } from '@tenantry/test-kit';
import { expect } from 'vitest';
import { processesOf } from './processes.ts';

/** `npm start` in a checkout. */
export interface Tenantry {
  url: string;
  npm: ChildProcess;
  output: Output;
  /** Ports the services said they listen on. */
  ports: () => number[];
  /** SIGTERM to npm, as a supervisor sends it; resolves with the exit code. */
  stop: () => Promise<number | null>;
}

interface Output {
  stdout: string;
  stderr: string;
}

/** How it ended. */
export interface Ending extends Output {
  code: number | null;
}

/** Runs `npm start -- args` to its end. */
export async function runNpmStart(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ending> {
  const { npm, output } = spawnNpmStart(root, args, env);
  const [code] = (await once(npm, 'close')) as [number | null];
  return { code, ...output };
}

/** Runs `npm start -- args` on free ports until it says that it is ready. */
export async function npmStart(
  root: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Tenantry> {
  const { npm, output } = spawnNpmStart(root, args, { PORT: '0', ...env });
  const closed = once(npm, 'close').then(([code]) => code as number | null);
  let ended = false;
  void closed.then(() => (ended = true));
  try {
    await eventually(() => {
      if (ended) throw new Error('npm start ended');
      expect(output.stdout).toMatch(/^Ready {2}http/m);
    });
  } catch (error) {
    npm.kill('SIGTERM');
    await closed;
    throw new Error(`npm start did not become ready:\n${output.stderr}`, { cause: error });
  }
  return {
    url: /^Ready {2}(http:\/\/\S+)$/m.exec(output.stdout)?.[1] ?? '',
    npm,
    output,
    ports: () =>
      [...output.stdout.matchAll(/listening at http:\/\/127\.0\.0\.1:(\d+)/g)].map(([, port]) =>
        Number(port),
      ),
    async stop() {
      npm.kill('SIGTERM');
      return closed;
    },
  };
}

/** Starts npm alone, so that a signal to it reaches no other process. */
export function spawnNpmStart(root: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|VITEST|TEST|NX_|PORT$)/.test(name),
  );
  const npm = spawn('npm', ['start', '--silent', '--', ...args], {
    cwd: root,
    env: { ...Object.fromEntries(inherited), LOG_LEVEL: 'trace', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The starter speaks to people, too: it prints the password of the demo.
  testLogOf(npm, (line) => line.startsWith('{'));
  const output: Output = { stdout: '', stderr: '' };
  npm.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  npm.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  return { npm, output };
}

/** Fails unless no process of the checkout runs and the ports are free. */
export async function expectNothingLeft(root: string, ports: readonly number[]): Promise<void> {
  await eventually(() => expect(processesOf(root)).toEqual([]));
  for (const port of ports) expect(await portObstacle(port), `port ${port}`).toBeUndefined();
}

/** Repeats an expectation until it holds or the time is over; an Error that is no assertion ends it at once. */
export async function eventually<T>(
  expectation: () => T | Promise<T>,
  withinMs = patience(120_000),
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > deadline || (error as Error).name !== 'AssertionError') throw error;
    }
    await sleep(50);
  }
}
