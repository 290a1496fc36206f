import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ExplainedError } from '@tenantry/dev-database';

/** A control group of Linux whose processes together use a part of the processors. */
export interface CpuGroup {
  /** A process that writes its id there is in it, with all that it starts. */
  readonly procs: string;
  /** Removes it once its processes have ended. */
  readonly remove: () => Promise<void>;
}

const periodMicroseconds = 100_000;
const removeWithinMs = 10_000;

/**
 * Makes a control group.
 *
 * @param cores how many cores it may use, as 0.5
 * @param root where control groups are mounted
 * @throws {ExplainedError} if there are none, or this user may not make one
 */
export function makeCpuGroup(cores: number, root = '/sys/fs/cgroup'): CpuGroup {
  const quota = Math.round(cores * periodMicroseconds);
  try {
    const make = existsSync(join(root, 'cgroup.controllers')) ? secondVersion : firstVersion;
    const directory = make(root, quota);
    return { procs: join(directory, 'cgroup.procs'), remove: () => remove(directory) };
  } catch (error) {
    throw new ExplainedError(
      `No control group can be made here: ${(error as Error).message}. Run this as root on Linux. Other ways to the same: ` +
        `systemd-run --user --scope -p CPUQuota=${100 * cores}% <command>, or a container with --cpus=${cores}.`,
    );
  }
}

const name = `tenantry-${process.pid}`;

function secondVersion(root: string, quota: number): string {
  // Groups below this one get the controller by this.
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
  const directory = join(root, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'cpu.max'), `${quota} ${periodMicroseconds}`);
  return directory;
}

function firstVersion(root: string, quota: number): string {
  const [, own = '/'] =
    /^\d+:(?:[^:]+,)?cpu(?:,[^:]+)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8')) ?? [];
  // In a container the group of its processes is where the file system begins.
  const parent = existsSync(join(root, 'cpu', own)) ? join(root, 'cpu', own) : join(root, 'cpu');
  const directory = join(parent, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'cpu.cfs_period_us'), String(periodMicroseconds));
  writeFileSync(join(directory, 'cpu.cfs_quota_us'), String(quota));
  return directory;
}

async function remove(directory: string): Promise<void> {
  for (const deadline = performance.now() + removeWithinMs; performance.now() < deadline;) {
    try {
      rmdirSync(directory);
      return;
    } catch {
      // What the command has started may still be ending.
      await sleep(100);
    }
  }
}
