import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { createInterface } from 'node:readline';

/** A program of the checkout and what it is run with. */
export interface Command {
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Computes while others wait. */
  readonly isPatient?: boolean;
}

/** Where lines are shown. */
export type Show = (line: string) => void;

/** Runs it on this Node, showing its lines as they come; whether it succeeded. */
export async function runCommand(
  { script, args, env, isPatient = false }: Command,
  { show, signal }: { show: Show; signal: AbortSignal },
): Promise<boolean> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }), ...env },
  });
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', show);
  const [code] = (await once(child, 'close')) as [number | null];
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return code === 0;
}
