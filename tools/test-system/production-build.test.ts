import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from '@tenantry/dev-database';
import { patience } from '@tenantry/test-kit';
import { expect, it, onTestFinished } from 'vitest';
import { discoverServices } from '../src/services.ts';
import { copyCheckout } from '../test/support/checkout.ts';

/** What is for development and tests alone. */
const development = ['test-kit', 'service-tests', 'sql-check', 'dev-database'];

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;

/** The configuration a project is built by, and those of all that it depends on. */
function builtWith(configuration: string, found = new Set<string>()): Set<string> {
  if (found.has(configuration)) return found;
  found.add(configuration);
  const { references } = readJson(configuration) as { references: { path: string }[] };
  for (const { path } of references) builtWith(resolve(dirname(configuration), path), found);
  return found;
}

/** The projects of the workspace that are installed with a project where development is left out. */
function installedWith(folder: string, found = new Set<string>()): Set<string> {
  const { dependencies = {} } = readJson(join(folder, 'package.json')) as { dependencies?: object };
  for (const name of Object.keys(dependencies)) {
    const library = join(workspaceRoot, 'libs', name.replace('@tenantry/', ''));
    if (!name.startsWith('@tenantry/') || found.has(library)) continue;
    found.add(library);
    installedWith(library, found);
  }
  return found;
}

it.each(discoverServices(workspaceRoot))(
  'nothing for development is built or installed with $name',
  ({ directory }) => {
    const projects = [...builtWith(join(directory, 'tsconfig.build.json'))].map((path) => dirname(path));
    for (const name of development) {
      expect(projects).not.toContain(join(workspaceRoot, 'libs', name));
      expect([...installedWith(directory)]).not.toContain(join(workspaceRoot, 'libs', name));
    }
    expect(projects).toContain(join(workspaceRoot, 'libs/service'));
  },
);

it('a service is built where nothing for development has been built, and imports none of it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'tenantry-build-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await copyCheckout(root);
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const args = ['--build', '--noCheck', join(root, 'apps/leads-service/tsconfig.build.json')];
  await promisify(execFile)(process.execPath, [compiler, ...args], { timeout: patience(120_000) });

  const built = globSync('{apps,libs}/*/dist/**/*.js', { cwd: root });
  expect(built).toContain('apps/leads-service/dist/main.js');
  for (const name of development) {
    expect(existsSync(join(root, 'libs', name, 'dist'))).toBe(false);
    for (const file of built) {
      expect(await readFile(join(root, file), 'utf8'), file).not.toContain(`'@tenantry/${name}`);
    }
  }
});
