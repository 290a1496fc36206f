import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endWithProcess, freePort } from '@tenantry/test-kit';

/** A server under load, as a process of its own. */
export interface Program {
  readonly url: string;
  readonly pid: number;
  /** From its start to its first answer, of whatever kind. */
  readonly startMs: number;
  stop: () => Promise<void>;
}

/** Where a program lies, seen from this folder, and what it is given; the port comes as PORT. */
export interface ProgramOptions {
  readonly file: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it answers well once it is ready. */
  readonly readyPath?: string;
}

const patienceMs = 120_000;

/** Starts a program in production mode and waits until it answers. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { file, args = [], env = {}, readyPath = '/api/health/ready' } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--conditions=@tenantry/source', fileURLToPath(new URL(file, import.meta.url)), ...args],
    {
      env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'warn', ...env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  endWithProcess(child);
  while (child.exitCode === null && performance.now() - startedAt < patienceMs) {
    const answer = await fetch(url + readyPath).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) {
      const startMs = Math.round(performance.now() - startedAt);
      return { url, pid: child.pid ?? 0, startMs, stop: () => end(child) };
    }
    await sleep(20);
  }
  throw new Error(`${file} does not answer`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
