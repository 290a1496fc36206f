import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program of the checkout and what it is run with. */
export interface Command {
  script: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
}

/** How it went. */
export interface Outcome {
  ok: boolean;
  lines: readonly string[];
}

/** Runs it on this Node, showing its output as it comes and keeping it. */
export async function runCommand({ script, args, env }: Command, signal: AbortSignal): Promise<Outcome> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const lines: string[] = [];
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const) {
    createInterface({ input: from }).on('line', (line) => {
      lines.push(line);
      to.write(`${line}\n`);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return { ok: code === 0, lines };
}
