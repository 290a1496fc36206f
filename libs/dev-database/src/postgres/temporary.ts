import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveHolder } from './claim.ts';
import { startPostgres, type Postgres, type PostgresOptions } from './postgres.ts';

const prefix = 'tenantry-postgres-';
const startingMs = 60_000;

/** A file system in memory, on Linux. */
const memory = '/dev/shm';
/** A container has 64 MB of it by default: too little for the databases of a run. */
const memoryBytesMin = 4 * 1024 ** 3;

/**
 * A server for tests and scratch work: fast, gone with its directory after stop(), and not durable unless that is asked
 * for, as measurements do.
 */
export async function startTemporaryPostgres({
  durable = false,
  ...options
}: Omit<PostgresOptions, 'directory' | 'durable'> & { durable?: boolean } = {}): Promise<Postgres> {
  const folder = durable ? tmpdir() : await throwawayFolder();
  await removeLeftovers(folder);
  const directory = await mkdtemp(join(folder, prefix));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const postgres = await startPostgres({ ...options, directory, durable });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function throwawayFolder(): Promise<string> {
  const bytesFree = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return bytesFree >= memoryBytesMin ? memory : tmpdir();
}

// A process that was killed could not remove its directory; its server ended with it.
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  for (const directory of names.map((name) => join(folder, name))) {
    const age = await stat(directory).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age < startingMs || (await liveHolder(directory)) !== undefined) continue;
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}
