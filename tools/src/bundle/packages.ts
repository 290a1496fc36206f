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
    for (const dependency of await dependenciesOf(folder)) await copy(dependency, folder);
  };
  for (const name of names) await copy(name, from);
}

/** What a package needs, and the optional parts that npm has installed for this machine. */
async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Partial<Record<'dependencies' | 'optionalDependencies', Record<string, string>>>;
  const optional = Object.keys(optionalDependencies);
  const installed = optional.filter((name) => findInstalled(name, folder) !== undefined);
  return [...Object.keys(dependencies).filter((name) => !optional.includes(name)), ...installed];
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
  const folder = findInstalled(name, dependent);
  if (folder === undefined) throw new Error(`${name} is not installed, and ${dependent} needs it`);
  return folder;
}

function findInstalled(name: string, dependent: string): string | undefined {
  for (let folder = dependent; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Packages of its own copies are decided on one by one; tests, maps and what is for other machines stay behind. */
function isUsed(path: string): boolean {
  const [top = '', second] = path.split('/');
  if (['node_modules', 'test', 'examples'].includes(top) || /\.(map|cc|h)$/.test(path)) return false;
  return top !== 'prebuilds' || second === undefined || second === `${process.platform}-${process.arch}`;
}
