import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runningPostgres, type RunningPostgres } from '@tenantry/dev-database';

/** A process that belongs to a checkout. */
export interface CheckoutProcess {
  pid: number;
  command: string;
}

/** Every process that was started from a checkout: by its command line, or by the folder it works in. */
export function processesOf(root: string): CheckoutProcess[] {
  const belongs = ({ pid, command }: CheckoutProcess) =>
    [root, encodeURI(root)].some((text) => command.includes(text)) || workingFolder(pid).startsWith(root);
  return allProcesses().filter((found) => found.pid !== process.pid && belongs(found));
}

/** The PostgreSQL of a checkout, wherever its data lies. */
export async function postmaster(root: string): Promise<RunningPostgres> {
  const found = await runningPostgres(join(root, '.tenantry/postgres'));
  if (found === undefined) throw new Error('No PostgreSQL runs for this checkout');
  return found;
}

function allProcesses(): CheckoutProcess[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).split('\n');
    return lines.map((line) => ({ pid: Number.parseInt(line), command: line.trim().replace(/^\d+\s+/, '') }));
  }
  return (
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({
        pid: Number(name),
        command: readText(`/proc/${name}/cmdline`).replaceAll('\0', ' '),
      }))
      // Kernel threads and those that just ended have none.
      .filter(({ command }) => command !== '')
  );
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
