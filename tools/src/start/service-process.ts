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
  /** Answers 200 once the service is ready. */
  readyUrl: string;
}

/** Told what happens to the process. */
export interface Listener {
  /** A line it wrote. */
  line: (text: string) => void;
  /** It runs, though it is not ready yet. */
  spawned: (pid: number) => void;
}

const readyWithinMs = 60_000;
// Above what a service itself allows its last requests.
const stopWithinMs = 20_000;

/** Starts a service on this Node and resolves once it answers ready; one that does not is ended. */
export async function startProgram(program: Program, listener: Listener, signal: AbortSignal): Promise<Run> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, [...program.args], {
    cwd: program.cwd,
    env: { ...program.env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A group of its own: Ctrl+C reaches the starter alone, which then stops everything in order.
    detached: true,
  });
  const lastLines = collectLines(child, listener);
  const run: Run = { ended: endingOf(child), stop: () => stop(child, run.ended) };
  if (child.pid !== undefined) listener.spawned(child.pid);
  try {
    await waitUntilReady(program, { ended: run.ended, lastLines, signal });
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

interface Waiting {
  ended: Promise<string>;
  lastLines: readonly string[];
  signal: AbortSignal;
}

async function waitUntilReady(
  { name, readyUrl }: Program,
  { ended, lastLines, signal }: Waiting,
): Promise<void> {
  let ending: string | undefined;
  void ended.then((how) => {
    ending = how;
  });
  let answer = 'no answer';
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    if (ending !== undefined) {
      throw new ExplainedError(`${name} ended before it was ready (${ending})${quote(lastLines)}`);
    }
    answer = await askReady(readyUrl);
    if (answer === 'ready') return;
    await sleep(40);
  }
  throw new ExplainedError(`${name} is not ready after ${readyWithinMs / 1_000} seconds: ${answer}.`);
}

/** `ready`, or why not. */
async function askReady(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    if (response.ok) return 'ready';
    const { reason } = (await response.json()) as { reason?: string };
    return reason ?? `it answers ${response.status}`;
  } catch {
    return 'no answer';
  }
}

/** What the service said last, readable: the message of a log line, or the lines as they are. */
function quote(lines: readonly string[]): string {
  const texts = lines.map((line) => {
    try {
      const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
      return [msg, err?.message].filter((part) => part !== undefined).join(': ');
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
