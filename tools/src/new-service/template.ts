import { cp, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { NewServiceNames } from './names.ts';

/** The service that new ones are made from; it keeps samples. */
const template = join(import.meta.dirname, '../../service-template');

/** Puts the template's files into a folder, under the new service's names. */
export async function copyTemplate(target: string, names: NewServiceNames): Promise<void> {
  await cp(template, target, { recursive: true });
  // The deepest first: a folder is renamed after what is in it.
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  const byDepth = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of byDepth.sort((one, other) => other.path.length - one.path.length)) {
    if (entry.isFile()) await writeFile(path, renamed(await readFile(path, 'utf8'), names));
    await rename(path, join(dirname(path), renamed(basename(path), names)));
  }
}

/** Samples and sample, in either case, wherever they stand in a word. */
function renamed(text: string, { plural, singular }: NewServiceNames): string {
  return text.replaceAll(/samples?/gi, (word) => {
    const name = word.endsWith('s') ? plural : singular;
    return word.startsWith('S') ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
  });
}
