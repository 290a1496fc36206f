import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { ExplainedError } from '../explained-error.ts';
import { processBirth } from './processes.ts';

/** A launcher's lock on a directory: one launcher runs one server. */
export interface Claim {
  release(): Promise<void>;
}

interface Holder {
  pid: number;
  birth: string | undefined;
}

const fileName = 'launcher.json';

/** Takes the directory for this process; a claim whose process has ended (kill -9) is taken over. */
export async function claimDirectory(directory: string): Promise<Claim> {
  await mkdir(dirname(directory), { recursive: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, fileName);
  const own = JSON.stringify({ pid: process.pid, birth: processBirth(process.pid) } satisfies Holder);
  while (!(await writeNew(file, own))) {
    const holder = await liveHolder(directory);
    if (holder !== undefined) {
      throw new ExplainedError(
        `PostgreSQL in ${directory} is already run by process ${holder.pid}: stop that one first.`,
      );
    }
    await discardStale(file);
  }
  return { release: () => rm(file, { force: true }) };
}

/** The living process that holds the directory, if any. */
export async function liveHolder(directory: string): Promise<Holder | undefined> {
  const text = await readFile(join(directory, fileName), 'utf8').catch(() => '');
  return livingHolder(text);
}

// Linked into place, so that a claim is never read half written.
async function writeNew(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await writeFile(draft, text);
    await link(draft, file);
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    throw new ExplainedError(
      `${dirname(file)} cannot be written (${code}): run this as the user it belongs to, or remove it to start over.`,
    );
  } finally {
    await rm(draft, { force: true });
  }
}

// Renaming first makes sure that of two processes only one discards, and never the other's new claim.
async function discardStale(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await (livingHolder(await readFile(aside, 'utf8')) ? rename(aside, file) : rm(aside));
}

function livingHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    return holder.birth !== undefined && processBirth(holder.pid) === holder.birth ? holder : undefined;
  } catch {
    return undefined;
  }
}
