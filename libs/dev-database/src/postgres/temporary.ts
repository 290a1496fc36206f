import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liveHolder } from './claim.ts';
import { startPostgres, type Postgres, type PostgresOptions } from './index.ts';

const prefix = 'tenantry-postgres-';
const startingMs = 60_000;

/** A server for tests and scratch work: fast, not durable, and gone with its directory after stop(). */
export async function startTemporaryPostgres(
  options: Omit<PostgresOptions, 'directory' | 'durable'> = {},
): Promise<Postgres> {
  await removeLeftovers();
  const directory = await mkdtemp(join(tmpdir(), prefix));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const postgres = await startPostgres({ ...options, directory, durable: false });
    return { ...postgres, stop: () => postgres.stop().then(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

// A process that was killed could not remove its directory; its server ended with it.
async function removeLeftovers(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const directory of names.map((name) => join(tmpdir(), name))) {
    const age = await stat(directory).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age < startingMs || (await liveHolder(directory)) !== undefined) continue;
    await rm(directory, { recursive: true, force: true }).catch(() => undefined);
  }
}
