import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export interface PackageCopy {
  /** The workspace, whose node_modules npm has installed. */
  from: string;
  to: string;
}

/** `@fastify/static/index.js` → @fastify/static. */
export function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/** Copies installed packages with all that they depend on, each to the place in node_modules where it was. */
export async function copyPackages(names: readonly string[], { from, to }: PackageCopy): Promise<void> {
  const copied = new Set<string>();
  const copy = async (name: string, dependent: string): Promise<void> => {
    const folder = installedFolder(name, dependent);
    if (copied.has(folder)) return;
    copied.add(folder);
    await cp(folder, join(to, relative(from, folder)), {
      recursive: true,
      filter: (path) => isUsed(relative(folder, path)),
    });
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const dependency of Object.keys(dependencies)) await copy(dependency, folder);
  };
  for (const name of names) await copy(name, from);
}

/** Copies files and folders of installed packages, such as fonts: `dejavu-fonts-ttf/ttf/DejaVuSans.ttf`. */
export async function copyFiles(files: readonly string[], { from, to }: PackageCopy): Promise<void> {
  for (const file of files) {
    const name = packageOf(file);
    const folder = installedFolder(name, from);
    for (const part of ['package.json', file.slice(name.length + 1)]) {
      await cp(join(folder, part), join(to, relative(from, folder), part), { recursive: true });
    }
  }
}

/** Where Node finds a package: in the node_modules nearest to what imports it. */
function installedFolder(name: string, dependent: string): string {
  for (let folder = dependent; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name} is not installed, and ${dependent} needs it`);
  }
}

/** Packages of its own copies are decided on one by one; tests, maps and what is for other machines stay behind. */
function isUsed(path: string): boolean {
  const [top = '', second] = path.split('/');
  if (['node_modules', 'test', 'examples'].includes(top) || /\.(map|cc|h)$/.test(path)) return false;
  return top !== 'prebuilds' || second === undefined || second === `${process.platform}-${process.arch}`;
}
