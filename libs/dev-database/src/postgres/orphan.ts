import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError } from '../explained-error.ts';
import { commandLine, hasEnded, isAlive, sendSignal } from './processes.ts';

/** The contents of `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** Reads `postmaster.pid`: the format is fixed, one value a line (PostgreSQL's miscadmin.h). */
export async function readPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Whether the server that wrote `postmaster.pid` is alive, and not another process with the same id. */
export function isServing(postmaster: Postmaster, dataDirectory: string): boolean {
  return isAlive(postmaster.pid) && commandLine(postmaster.pid).includes(` -D ${dataDirectory} `);
}

/**
 * Ends a server that an earlier launcher left running on the data, and removes a `postmaster.pid` whose process id now belongs
 * to another process (PostgreSQL would take that one for a running server).
 */
export async function stopOrphan(dataDirectory: string): Promise<void> {
  const postmaster = await readPostmaster(dataDirectory);
  if (postmaster === undefined) return;
  if (isServing(postmaster, dataDirectory)) await shutDown(postmaster.pid);
  else if (isAlive(postmaster.pid)) await rm(join(dataDirectory, 'postmaster.pid'), { force: true });
}

/** Fast shutdown; then immediate, then none at all: the write-ahead log makes even the last one safe. */
export async function shutDown(pid: number, patienceMs = 20_000): Promise<void> {
  for (const name of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(pid, name);
    if (await hasEnded(pid, patienceMs)) return;
  }
  throw new ExplainedError(`PostgreSQL (process ${pid}) does not end: end it by hand, then start again.`);
}
