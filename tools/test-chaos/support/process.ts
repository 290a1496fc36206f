import { readdirSync, readFileSync } from 'node:fs';

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
