import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  claimDirectory,
  ExplainedError,
  hasEnded,
  liveHolder,
  processBirth,
  replaceFile,
  sendSignal,
  type Claim,
} from '@tenantry/dev-database';

/** Which processes belong to the running start, so that the next one finds what a kill -9 left behind. */
export interface RunRecord {
  /** Writes down a process that was started for a service; it replaces the service's earlier one. */
  add: (service: string, pid: number) => void;
  release: () => Promise<void>;
}

interface RecordedProcess {
  pid: number;
  birth: string | undefined;
}

/**
 * Makes this the only start of the directory, and ends the processes of one that was killed.
 *
 * @throws ExplainedError when another start runs.
 */
export async function takeOver(directory: string): Promise<RunRecord> {
  const runDirectory = join(directory, 'run');
  const claim = await claimFor(runDirectory);
  const file = join(runDirectory, 'services.json');
  await endLeftovers(file);
  const services: Record<string, RecordedProcess> = {};
  let written = Promise.resolve();
  return {
    add(service, pid) {
      services[service] = { pid, birth: processBirth(pid) };
      const text = JSON.stringify(services);
      written = written.then(() => replaceFile(file, text));
    },
    async release() {
      await written;
      await rm(file, { force: true });
      await claim.release();
    },
  };
}

async function claimFor(runDirectory: string): Promise<Claim> {
  try {
    await mkdir(runDirectory, { recursive: true, mode: 0o700 });
    return await claimDirectory(runDirectory);
  } catch (error) {
    const holder = await liveHolder(runDirectory);
    if (holder !== undefined) {
      throw new ExplainedError(
        `Tenantry is already running here (process ${holder.pid}): stop that one first, with Ctrl+C or kill ${holder.pid}.`,
      );
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error;
    throw new ExplainedError(
      `${runDirectory} cannot be written (${code}): run this as the user who started it first, or remove the .tenantry folder.`,
    );
  }
}

async function endLeftovers(file: string): Promise<void> {
  const recorded = await recordedIn(file);
  await Promise.all(
    recorded
      // Another process may have the id since: the start time distinguishes them.
      .filter(({ pid, birth }) => birth !== undefined && processBirth(pid) === birth)
      .map(async ({ pid }) => {
        sendSignal(pid, 'SIGTERM');
        if (await hasEnded(pid, 5_000)) return;
        sendSignal(pid, 'SIGKILL');
        await hasEnded(pid, 5_000);
      }),
  );
}

/** What a broken file named has ended with the machine, whose failure alone leaves one: it is written anew. */
async function recordedIn(file: string): Promise<RecordedProcess[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  try {
    const recorded: unknown = JSON.parse(text);
    if (typeof recorded === 'object' && recorded !== null) return Object.values(recorded).filter(isRecorded);
  } catch {
    // Told below.
  }
  console.error(`${file} is not readable, as after a power failure, and is written anew.`);
  return [];
}

const isRecorded = (entry: Partial<RecordedProcess> | null): entry is RecordedProcess =>
  Number.isSafeInteger(entry?.pid) && typeof entry?.birth === 'string';
