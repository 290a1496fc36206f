import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { freePort } from '@tenantry/dev-database';
import { patience } from '@tenantry/test-kit';
import { rolldown } from 'rolldown';
import { programs, run } from '../../test/support/packed-package.ts';
import { sampleUnder } from './readme.ts';
import type { Target } from './targets.ts';

/** The settings of a target's service. */
export interface Surroundings {
  readonly AUTH_URL: string;
  readonly REVOCATIONS_URL: string;
}

/** The folder of another team: its sample of the README, compiled, and what npm installed beside it. */
export class Project {
  readonly folder: string;
  readonly #target: Target;
  #running: ChildProcess | undefined;

  private constructor(folder: string, target: Target) {
    this.folder = folder;
    this.#target = target;
  }

  /** Installs a packed library into a new folder, puts the sample there and builds it as the target does. */
  static async create(target: Target, tarball: string): Promise<Project> {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-target-'));
    const project = new Project(folder, target);
    project.#write(
      'package.json',
      JSON.stringify({ private: true, ...(!target.module && { type: 'module' }) }),
    );
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--save-exact'];
    const types = '@types/node@24.19.2';
    await run('npm', ['install', ...flags, tarball, types, ...target.packages], folder);
    await project.#build();
    return project;
  }

  /** Starts the service and gives its address once it answers. */
  async start(surroundings: Surroundings): Promise<string> {
    const port = await freePort();
    const [program = '', ...args] = this.#target.start.map((part) => part.replace('{port}', String(port)));
    const installed = join(this.folder, 'node_modules/.bin', program);
    // In a group of its own: some of these programs start others.
    const child = spawn(...command(existsSync(installed) ? installed : join(this.folder, program), args), {
      cwd: this.folder,
      env: { ...ofMachine(), ...surroundings, PORT: String(port) },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running = child;
    const kill = () => killGroup(child);
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const origin = `http://127.0.0.1:${port}`;
    const deadline = performance.now() + patience();
    while ((await fetch(origin).catch(() => undefined)) === undefined) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`${this.#target.title} did not start:\n${said}`);
      await sleep(100);
    }
    return origin;
  }

  /** Starts it without its variables, and gives what it says before it ends. */
  async complaint(): Promise<string> {
    const child = spawn(process.execPath, ['dist/service.js'], { cwd: this.folder, env: ofMachine() });
    let said = '';
    child.stderr.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number | null];
    return `${code} ${said}`;
  }

  /** What the library adds to a bundle for this target, in kB, minified and compressed. */
  async addedKilobytes(): Promise<number> {
    const { sample, conditions = ['node', 'import'] } = this.#target;
    const [entry = ''] = Object.keys(sampleUnder(sample).files);
    const code = await bundleOf(join(this.folder, entry), { conditions, format: 'esm', minify: true });
    return Math.round(gzipSync(code).length / 1000);
  }

  async remove(): Promise<void> {
    const child = this.#running;
    if (child !== undefined && child.exitCode === null) {
      const exited = once(child, 'exit');
      killGroup(child);
      await exited;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #build(): Promise<void> {
    const { sample, files = {}, edit = (code) => code, build, module = 'nodenext', bundled } = this.#target;
    for (const [name, code] of Object.entries(sampleUnder(sample).files)) this.#write(name, edit(code));
    for (const [name, text] of Object.entries(files)) this.#write(name, text);
    if (build !== undefined) {
      const [program = '', ...args] = build;
      // Without a variable of the service: a build is none.
      await run(...command(join(this.folder, 'node_modules/.bin', program), args), this.folder);
      return;
    }
    this.#write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...compilerOptions, module }, include: ['*.ts'] }),
    );
    await run(join(programs, 'tsc'), [], this.folder);
    if (bundled === undefined) return;
    const { conditions = [] } = this.#target;
    const code = await bundleOf(join(this.folder, bundled.entry), { ...bundled, conditions, minify: false });
    this.#write('bundle.js', code);
  }

  #write(name: string, text: string): void {
    const file = join(this.folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

const compilerOptions = {
  strict: true,
  target: 'es2022',
  types: ['node'],
  skipLibCheck: true,
  esModuleInterop: true,
  experimentalDecorators: true,
  rootDir: '.',
  outDir: 'dist',
};

/** Kills a program with all that it has started. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/** Programs for Node.js run by the one that runs the tests. */
function command(program: string, args: readonly string[]): [string, string[]] {
  const isNative = ['deno', 'bun'].some((name) => program.endsWith(`/.bin/${name}`));
  return isNative ? [program, [...args]] : [process.execPath, [program, ...args]];
}

function ofMachine(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'], NEXT_TELEMETRY_DISABLED: '1' };
}

interface BundleOptions {
  readonly conditions: readonly string[];
  readonly format: 'esm' | 'iife';
  readonly minify: boolean;
}

/** A file and what it imports of the library, in one; frameworks stay outside. */
async function bundleOf(input: string, { conditions, format, minify }: BundleOptions): Promise<string> {
  await using build = await rolldown({
    input,
    platform: 'neutral',
    resolve: { conditionNames: [...conditions, 'import', 'default'] },
    external: (id) => !/^(\.|\/|#|jose\b|@tenantry\/)/.test(id),
  });
  const { output } = await build.generate({ format, minify });
  return output[0].code;
}
