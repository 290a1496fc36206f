import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError, replaceFile } from '@tenantry/dev-database';

/**
 * Reads secrets from `secrets.json` in the directory and makes those it does not have yet: 256 random bits each,
 * in a file only its owner reads (0600).
 */
export async function ensureSecrets(
  directory: string,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const file = join(directory, 'secrets.json');
  const known = await readSecrets(file);
  const missing = names.filter((name) => known[name] === undefined);
  if (missing.length === 0) return known;
  const secrets = { ...known };
  for (const name of missing) secrets[name] = randomBytes(32).toString('base64url');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // A lost AUTH_SECRET locks everybody out.
  await replaceFile(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}

/** Reads the secrets of the file; none when it is not there. */
export async function readSecrets(file: string): Promise<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (isSecrets(read)) return read;
    throw new Error('it holds something else than secrets');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new ExplainedError(
      `${file} cannot be read (${(error as Error).message}): repair it, or start over with npm start -- --fresh.`,
    );
  }
}

const isSecrets = (read: unknown): read is Record<string, string> =>
  typeof read === 'object' &&
  read !== null &&
  !Array.isArray(read) &&
  Object.values(read).every((value) => typeof value === 'string' && value !== '');
