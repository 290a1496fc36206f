import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';

/** Services with names of every kind: of two words, irregular, and without a singular. */
const made = ['invoices', 'purchase-orders', 'people', 'news'];
const folders = made.map((plural) => `apps/${plural}-service`);

/** Everything is compiled and linted once more, beside the other tests of the system. */
const slow = { timeout: 400_000 };

let root: string;
let said = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenantry-new-service-'));
  await copyCheckout(root);
  for (const plural of made) said += await npm('run', '--silent', 'new-service', '--', plural);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function run(program: string, args: readonly string[]): Promise<string> {
  // A checkout of somebody else: what these tests are given is not for it.
  const env = { ...process.env, TEST_DATABASE_ADMIN_URL: undefined };
  const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024, timeout: slow.timeout };
  const running = promisify(execFile)(program, [...args], options);
  const { stdout } = await running.catch((error: unknown) => {
    const { message, stdout: printed, stderr } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')}: ${message}\n${printed}\n${stderr}`);
  });
  return stdout;
}

const npm = (...args: readonly string[]) => run('npm', args);
/** A program of the copy, with the Node that it pins. */
const program = (script: string, ...args: readonly string[]) =>
  run(process.execPath, [join(root, script), ...args]);

/** Runs tests of the copy, and counts them; its error says which have failed. */
async function vitest(...args: readonly string[]): Promise<Record<string, number>> {
  const report = join(root, 'report.json');
  const reported = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  await program('node_modules/vitest/vitest.mjs', 'run', ...args, ...reported);
  return JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>;
}

describe('npm run new-service', slow, () => {
  it('says where each service is and what to do with it', () => {
    expect(said).toContain('apps/invoices-service answers /api/invoices, on port 3004');
    expect(said).toContain('apps/news-service answers /api/news, on port 3007');
  });

  it('leaves nothing of the names of the template', () => {
    const files = globSync(`{${folders.join(',')}}/{*.*,{src,test,prisma}/**/*.{ts,prisma,sql}}`, {
      cwd: root,
    });
    expect(files).toContain('apps/purchase-orders-service/src/purchase-orders/purchase-orders.repository.ts');
    expect(files).toContain('apps/news-service/src/news/news-item.ts');
    for (const file of files.filter((path) => !path.includes('generated'))) {
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/field.?note/i);
    }
  });

  it('leaves a lock file that npm ci takes, references that are up to date, and files that are formatted', async () => {
    await npm('ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit', '--no-fund');
    await program('node_modules/nx/dist/bin/nx.js', 'sync:check');
    await program('node_modules/oxfmt/bin/oxfmt', '--check', '.');
  });

  it('makes services that pass the lint, and whose types hold', async () => {
    const written = [...folders, 'libs/contracts/src', 'tools/test-system/matrix'];
    await program('node_modules/oxlint/bin/oxlint', ...written);
    await program('node_modules/eslint/bin/eslint.js', ...written);
    await program('node_modules/@typescript/native/bin/tsc', '--build', '--singleThreaded', ...folders);
  });

  it('makes services that pass their tests, and that every list of services knows', async () => {
    await npm('run', '--silent', 'migrate', '--', '--check');
    const lists = ['compose', 'configuration', 'observability', 'services', 'kubernetes'].map(
      (name) => `tools/test/${name}`,
    );
    const tested = [
      ...folders,
      ...lists,
      'libs/dev-database/test/lint',
      'apps/auth-service/test/organizations',
    ];
    const { numPassedTests, numFailedTests } = await vitest(...tested);
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(300);
  });

  it('makes services that start with the others, and answer the matrix as their documents say', async () => {
    const files = ['matrix', 'matrix-audit'].map((name) => `tools/test-system/${name}.test.ts`);
    const config = ['--config', 'vitest.system.config.mjs', ...files];
    const path = `/api/(${made.join('|')})`;
    const named = `^[A-Z]+ ${path}|: [A-Z]+ ${path}`;
    const { numPassedTests, numFailedTests } = await vitest(...config, '--testNamePattern', named);
    expect(numFailedTests).toBe(0);
    expect(numPassedTests).toBeGreaterThan(15);
  });

  it('makes services that go into an image', async () => {
    await npm('run', '--silent', 'bundle', '--', 'invoices-service', 'migrate');
    expect(globSync('dist/bundle/invoices-service/apps/*/dist/main.js', { cwd: root })).toHaveLength(1);
    expect(globSync('dist/bundle/migrate/apps/invoices-service/prisma', { cwd: root })).toHaveLength(1);
    if (spawnSync('docker', ['version'], { stdio: 'ignore' }).status !== 0) {
      console.info('No Docker engine answers: the image of a new service is bundled and not built.');
      return;
    }
    const image = [
      '--file=infra/docker/Dockerfile',
      '--build-arg=APP=invoices-service',
      '--tag=tenantry/of-tests',
    ];
    await run('docker', ['build', '--quiet', '--network=host', ...image, '.']);
  });

  it('is no reason for test:affected to stop where references are out of date', async () => {
    await run('git', ['init', '--quiet', '--initial-branch=main']);
    await run('git', ['add', '--all']);
    const author = ['-c', 'user.name=Tests', '-c', 'user.email=tests@example.com'];
    await run('git', [...author, 'commit', '--quiet', '--message=Add services']);
    const file = join(root, 'apps/news-service/tsconfig.build.json');
    const configuration = JSON.parse(readFileSync(file, 'utf8')) as { references: unknown[] };
    writeFileSync(file, JSON.stringify({ ...configuration, references: configuration.references.slice(1) }));
    await npm('run', '--silent', 'test:affected', '--', '--exclude=*');
    const { references } = JSON.parse(readFileSync(file, 'utf8')) as { references: unknown[] };
    expect(references).toHaveLength(configuration.references.length);
  });
});
