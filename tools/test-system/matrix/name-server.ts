import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startNameServer } from '@tenantry/test-kit';

/** A name server whose records are files of a directory, so that another process can add some. */
export const startNameServerOf = (directory: string) =>
  startNameServer(async (name) => {
    const text = await readFile(join(directory, name), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : { texts: [text] };
  });

/** Adds a record. */
export async function addRecord(
  directory: string,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, name), value);
}
