import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { ServiceDescription } from '../services.ts';
import { FolderWatch } from './folder-watch.ts';

/** What a {@link SourceWatch} needs. */
export interface WatchOptions {
  workspaceRoot: string;
  services: readonly ServiceDescription[];
  restart: (service: string) => void;
  /** Takes a sentence about a service. */
  tell: (service: string, sentence: string) => void;
}

/** Files are often written in several steps, and several files together. */
const settleMs = 100;

/**
 * Watches the sources of services and of the libraries they use: what changes restarts those that use it, and a changed schema
 * makes the client of its database first.
 */
export class SourceWatch {
  readonly #options: WatchOptions;
  readonly #users: Users;
  readonly #folders: FolderWatch;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #working = Promise.resolve();

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#users = usersOfFolders(options.workspaceRoot, options.services);
    this.#folders = new FolderWatch([...this.#users.keys()], (path) => this.#onChange(path));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#folders.close();
  }

  #onChange(path: string): void {
    if (!isSource(path)) return;
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const paths = [...this.#changed];
      this.#changed.clear();
      const { tell } = this.#options;
      this.#working = this.#working
        .then(() => this.#act(paths))
        .catch((error: unknown) => tell('watch', String(error)));
    }, settleMs);
  }

  async #act(paths: readonly string[]): Promise<void> {
    const { workspaceRoot, restart, tell } = this.#options;
    const affected = new Map<string, string>();
    const schemas = paths.filter((path) => path.endsWith('.prisma'));
    for (const path of [...paths, ...schemas]) {
      for (const name of usersOf(path, this.#users)) affected.set(name, path);
    }
    if (schemas.length > 0) await makeClients(workspaceRoot);
    for (const [name, path] of affected) {
      tell(name, `${relative(workspaceRoot, path)} changed: starting ${name} again`);
      if (schemas.includes(path)) {
        tell(name, `write the migration with: npm run migrate -- ${name} --name what-changed`);
      }
      restart(name);
    }
  }
}

/** Which services use a folder, by its path. */
type Users = ReadonlyMap<string, readonly string[]>;

function usersOfFolders(workspaceRoot: string, services: readonly ServiceDescription[]): Users {
  const users = new Map<string, string[]>();
  const add = (folder: string, name: string): void => {
    if (existsSync(folder)) users.set(folder, [...(users.get(folder) ?? []), name]);
  };
  for (const { name, directory } of services) {
    for (const folder of ['src', 'prisma']) add(join(directory, folder), name);
    for (const library of librariesOf(workspaceRoot, directory)) {
      add(join(workspaceRoot, 'libs', library, 'src'), name);
    }
  }
  return users;
}

/** The libraries that a project uses, also by way of others. */
function librariesOf(
  workspaceRoot: string,
  directory: string,
  known = new Set<string>(),
): ReadonlySet<string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    const library = /^@tenantry\/(.+)$/.exec(name)?.[1];
    if (library === undefined || known.has(library)) continue;
    known.add(library);
    librariesOf(workspaceRoot, join(workspaceRoot, 'libs', library), known);
  }
  return known;
}

function usersOf(path: string, users: Users): readonly string[] {
  return [...users].flatMap(([folder, names]) => (path.startsWith(folder + sep) ? names : []));
}

/** What a program reads; generated clients follow their schema, and editors keep drafts beside what they write. */
function isSource(path: string): boolean {
  return /\.(?:ts|json|sql|prisma)$/.test(path) && !path.includes(`${sep}generated${sep}`);
}

async function makeClients(workspaceRoot: string): Promise<void> {
  const child = spawn(process.execPath, [join(workspaceRoot, 'tools/bootstrap.mjs'), 'generate'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the clients of the databases could not be made: ${said.trim()}`);
}
