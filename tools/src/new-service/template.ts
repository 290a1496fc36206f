import { cp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renamed, type NewServiceNames } from './names.ts';
import { holds, type Part } from './parts.ts';

/** The service that new ones are made from, with every part; it keeps field notes. */
const template = join(import.meta.dirname, '../../service-template');

/** Puts the template's files into a folder, under the new service's names and with the parts that were chosen. */
export async function copyTemplate(
  target: string,
  names: NewServiceNames,
  chosen: readonly Part[],
): Promise<void> {
  await cp(template, target, { recursive: true });
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  // The deepest first: a folder is renamed, or found to be empty, after what is in it.
  const byDepth = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of byDepth.sort((one, other) => other.path.length - one.path.length)) {
    if (entry.isFile()) {
      const text = withParts(await readFile(path, 'utf8'), chosen);
      if (text === undefined) await rm(path);
      else await writeFile(path, renamed(text, names));
      if (text === undefined) continue;
    } else if ((await readdir(path)).length === 0) {
      await rm(path, { recursive: true });
      continue;
    }
    await rename(path, join(dirname(path), renamed(basename(path), names)));
  }
}

/**
 * A file of the template with what belongs to the parts that were chosen; undefined for a file that belongs to others.
 *
 * - `//#file mail` as the first line: the whole file belongs to a part.
 * - a line that ends with `//#with mail`, and the lines between `//#with mail` and `//#end`.
 * - `/*#mail , more *\/` within a line.
 *
 * A condition is a part, `!part`, or several with `&` and `|`.
 */
export function withParts(text: string, chosen: readonly Part[]): string | undefined {
  const [, ofFile, rest = text] = /^\/\/#file (\S+)\n([^]*)$/.exec(text) ?? [];
  if (ofFile !== undefined && !holds(ofFile, chosen)) return undefined;
  const kept: string[] = [];
  let inBlock = true;
  for (const line of rest.split('\n')) {
    const [, code = '', condition] = /^(.*?) ?\/\/#with (\S+)$/.exec(line) ?? [];
    if (condition !== undefined && code.trim() === '') inBlock = holds(condition, chosen);
    else if (line.trim() === '//#end') inBlock = true;
    else if (inBlock && (condition === undefined || holds(condition, chosen)))
      kept.push(condition === undefined ? line : code);
  }
  const inline = /\/\*#(\S+) (.*?)\*\//g;
  const lines = kept.map((line) =>
    line.replaceAll(inline, (_all, condition: string, more: string) =>
      holds(condition, chosen) ? more : '',
    ),
  );
  return withMergedImports(lines.join('\n'));
}

/** Imports of one module stand on one line, whichever parts they are for. */
function withMergedImports(text: string): string {
  const pattern = /^import (type )?\{ (.*) \} from '(.*)';\n/gm;
  const names = new Map<string, string[]>();
  for (const [, type = '', list = '', from = ''] of text.matchAll(pattern)) {
    const key = `${type}${from}`;
    names.set(key, [...(names.get(key) ?? []), ...list.split(', ')]);
  }
  return text.replaceAll(pattern, (_all, type: string | undefined, _list, from: string) => {
    const key = `${type ?? ''}${from}`;
    const merged = names.get(key);
    names.delete(key);
    return merged ? `import ${type ?? ''}{ ${sorted(merged).join(', ')} } from '${from}';\n` : '';
  });
}

/** By name, values before types. */
const sorted = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => one.localeCompare(other, 'en', { sensitivity: 'base' }));
