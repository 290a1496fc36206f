import { cp, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { serviceTemplate } from '@tenantry/dev-database';
import { renamed, type NewServiceNames } from './names.ts';

/** What is made of the template, and not part of it. */
const made = ['node_modules', 'dist', '.nx-types', 'generated'];

/** Copies the template and its requests of the matrix to where they belong, under the new service's names. */
export async function copyTemplate(root: string, names: NewServiceNames): Promise<void> {
  const target = join(root, 'apps', names.service);
  const { projectRoot: template } = serviceTemplate(root);
  await cp(template, target, { recursive: true, filter: (path) => !made.includes(basename(path)) });
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  // The deepest first: a folder is renamed after what is in it.
  const byDepth = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of byDepth.sort((one, other) => other.path.length - one.path.length)) {
    if (entry.isFile()) await writeFile(path, own(await readFile(path, 'utf8'), names));
    await rename(path, join(dirname(path), renamed(basename(path), names)));
  }
  const matrix = join(root, 'tools/test-system/matrix');
  const requests = await readFile(join(matrix, 'service-template/field-notes-service.ts'), 'utf8');
  await writeFile(join(matrix, 'requests', `${names.service}.ts`), own(requests, names));
}

/** A text of the template with the names of the new service, and with its port and permissions in place of borrowed ones. */
export function own(text: string, names: NewServiceNames): string {
  return renamed(text, names)
    .replace('"port": 3000', `"port": ${names.port}`)
    .replaceAll(/(?<=\baccess: ')leads(?=:)/g, names.plural);
}
