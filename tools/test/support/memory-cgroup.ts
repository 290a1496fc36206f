import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group of Linux that holds processes within a limit of memory, as a pod does. */
export interface MemoryCgroup {
  /** A process that writes its id there is in it, with all that it starts. */
  readonly procs: string;
  /** The most that was in use at once, in bytes. */
  readonly peak: () => number;
  readonly remove: () => void;
}

const name = `tenantry-test-${process.pid}`;

/** Makes a control group; undefined where there are none, or this user may not make one. */
export function makeMemoryCgroup(bytes: number): MemoryCgroup | undefined {
  try {
    return existsSync('/sys/fs/cgroup/cgroup.controllers') ? secondVersion(bytes) : firstVersion(bytes);
  } catch {
    return undefined;
  }
}

function secondVersion(bytes: number): MemoryCgroup {
  const directory = join('/sys/fs/cgroup', name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'memory.max'), String(bytes));
  return cgroupIn(directory, 'memory.peak');
}

function firstVersion(bytes: number): MemoryCgroup {
  const [, own = '/'] = /^\d+:memory:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
  const directory = join('/sys/fs/cgroup/memory', own, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'memory.limit_in_bytes'), String(bytes));
  return cgroupIn(directory, 'memory.max_usage_in_bytes');
}

const cgroupIn = (directory: string, peak: string): MemoryCgroup => ({
  procs: join(directory, 'cgroup.procs'),
  peak: () => Number(readFileSync(join(directory, peak), 'utf8')),
  remove: () => rmdirSync(directory),
});
