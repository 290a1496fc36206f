import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@tenantry/dev-database';
import type { Environment } from './environment.ts';
import type { Run } from './supervisor.ts';

/** One service as a process. */
export interface Program {
  name: string;
  /** Arguments for Node: options, then the script. */
  args: readonly string[];
  cwd: string;
  env: Environment;
}

/** Told what happens to the process. */
export interface Listener {
  /** A line it wrote. */
  line: (text: string) => void;
  /** It runs, though it is not ready yet. */
  spawned: (pid: number) => void;
}

/** What a process is started with. */
export interface Starting {
  /** Descriptor of the socket that it is to listen on; without one it opens its own. */
  socket?: number | undefined;
  signal: AbortSignal;
}

const readyWithinMs = 180_000;
// Above what a service itself allows its last requests.
const stopWithinMs = 20_000;

/**
 * Starts a service on this Node and resolves once it says that it is ready, over the channel that no other process has; one
 * that does not is ended.
 */
export async function startProgram(
  program: Program,
  listener: Listener,
  { socket, signal }: Starting,
): Promise<Run> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...program.args], {
    cwd: program.cwd,
    env: { ...program.env, LISTEN_FDS: socket === undefined ? undefined : '1' },
    stdio: ['ignore', 'pipe', 'pipe', ...(socket === undefined ? [] : [socket]), 'ipc'],
    // A group of its own: Ctrl+C reaches the starter alone, which then stops everything in order.
    detached: true,
  });
  const lastLines = collectLines(child, listener);
  const run: Run = { ended: endingOf(child), stop: () => stop(child, run.ended) };
  const readiness = readinessOf(child);
  if (child.pid !== undefined) listener.spawned(child.pid);
  try {
    await waitUntilReady(program, { readiness, ended: run.ended, lastLines, signal });
    return run;
  } catch (error) {
    await run.stop();
    throw error;
  }
}

function collectLines(child: ChildProcess, listener: Listener): readonly string[] {
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      listener.line(line);
      // It is through, and would wait for an attached debugger for ever.
      if (line.startsWith('Waiting for the debugger to disconnect')) child.kill('SIGKILL');
    });
  }
  return last;
}

async function endingOf(child: ChildProcess): Promise<string> {
  try {
    // `close` comes after the last line was read, `exit` may come before.
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return signal ?? `exit code ${code}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What a service says of itself. */
interface Readiness {
  /** Resolves once it is ready. */
  ready: Promise<void>;
  /** Why it is not, as it said last. */
  reason: string;
}

function readinessOf(child: ChildProcess): Readiness {
  const readiness = { ready: Promise.resolve(), reason: 'it has said nothing' };
  readiness.ready = new Promise((resolve) => {
    child.on('message', (message: { ready?: boolean; reason?: string }) => {
      if (message.ready === true) resolve();
      else readiness.reason = message.reason ?? readiness.reason;
    });
  });
  return readiness;
}

interface Waiting {
  readiness: Readiness;
  ended: Promise<string>;
  lastLines: readonly string[];
  signal: AbortSignal;
}

async function waitUntilReady(
  { name }: Program,
  { readiness, ended, lastLines, signal }: Waiting,
): Promise<void> {
  const timeout = AbortSignal.timeout(readyWithinMs);
  const ending = await Promise.race([
    readiness.ready,
    ended,
    once(AbortSignal.any([signal, timeout]), 'abort').then(() => undefined),
  ]);
  signal.throwIfAborted();
  if (ending !== undefined) {
    throw new ExplainedError(`${name} ended before it was ready (${ending})${quote(lastLines)}`);
  }
  if (timeout.aborted) {
    throw new ExplainedError(
      `${name} is not ready after ${readyWithinMs / 1_000} seconds: ${readiness.reason}.`,
    );
  }
}

/** What the service said last, readable: the message of a log line, or the lines as they are. */
function quote(lines: readonly string[]): string {
  const texts = lines.map((line) => {
    try {
      const { msg = '', err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
      const cause = err?.message ?? '';
      return msg.includes(cause) ? msg : `${msg}: ${cause}`;
    } catch {
      return line;
    }
  });
  return texts.length > 0 ? `:\n${texts.map((text) => `    ${text}`).join('\n')}` : '.';
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const outcome = await Promise.race([ended, sleep(stopWithinMs, 'late' as const, { ref: false })]);
  if (outcome !== 'late') return;
  child.kill('SIGKILL');
  await ended;
}
