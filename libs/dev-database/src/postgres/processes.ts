import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The start time of a process, as text to compare: process ids are reused (in containers immediately), so an id alone does not
 * identify a process. Undefined once it has ended, also for a zombie: a container's first process may never reap those.
 */
export function processBirth(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return birthFromPs(ps(pid, 'state=,lstart='));
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name, may contain blanks and brackets; the state is the third, the start time the 22nd.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]/.test(fields[0] ?? 'X') ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** True while a process with this id exists, whichever user owns it. */
export const isAlive = (pid: number): boolean => processBirth(pid) !== undefined;

/** The command line of a process, empty when it has ended or may not be looked at. */
export function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return ps(pid, 'command=');
  } catch {
    return '';
  }
}

/** Waits until the process has ended; false when it has not within the time. */
export async function hasEnded(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Sends a signal; a process that has ended meanwhile is no error. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function birthFromPs(line: string): string | undefined {
  const [, state = 'Z', birth] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
  return state.startsWith('Z') ? undefined : birth;
}

function ps(pid: number, column: string): string {
  return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
}
