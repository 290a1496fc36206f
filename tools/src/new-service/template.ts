import { cp, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renamed, type NewServiceNames } from './names.ts';

/** The service that new ones are made from; it keeps field notes. */
const template = join(import.meta.dirname, '../../service-template');

/** Copies the template into a folder, under the new service's names. */
export async function copyTemplate(target: string, names: NewServiceNames): Promise<void> {
  await cp(template, target, { recursive: true });
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  // The deepest first: a folder is renamed after what is in it.
  const byDepth = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of byDepth.sort((one, other) => other.path.length - one.path.length)) {
    if (entry.isFile()) await writeFile(path, renamed(await readFile(path, 'utf8'), names));
    await rename(path, join(dirname(path), renamed(basename(path), names)));
  }
}
