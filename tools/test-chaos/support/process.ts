import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Instance } from '../../test/support/instance.ts';
import { eventually } from '../../test/support/tenantry.ts';

/** Sockets and files that a process holds; 0 where there is no /proc. */
export function openFiles(pid: number): number {
  return process.platform === 'linux' ? readdirSync(`/proc/${pid}/fd`).length : 0;
}

/** Memory that a process takes, in bytes; 0 where there is no /proc. */
export function residentBytes(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

/** What a service needs in its environment for {@link liveBytes}. */
export const tellsLiveMemory = {
  NODE_OPTIONS: `--expose-gc --import=${new URL('./live-memory.ts', import.meta.url).href}`,
};

/** Memory that a process uses after a garbage collection, in bytes. */
export async function liveBytes({ pid, logs }: Instance): Promise<number> {
  const told = () => [...logs().matchAll(/live memory: (\d+)/g)].map(([, bytes]) => Number(bytes));
  const before = told().length;
  process.kill(pid, 'SIGUSR2');
  await eventually(() => expect(told().length).toBeGreaterThan(before), 10_000);
  return told().at(-1) ?? 0;
}

/** Files and sockets that this process may hold. */
export function filesMax(): number {
  if (process.platform !== 'linux') return Infinity;
  const [, max = '0'] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(max);
}
