import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@tenantry/dev-database';
import { createTestDatabase, testLogOf } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverServices } from '../src/services.ts';
import { namesFor } from '../src/new-service/names.ts';
import { checkoutRoot, copyCheckout } from '../test/support/checkout.ts';

const services = discoverServices(checkoutRoot);

describe('the name of a new service', () => {
  it('gives it the next free port and a prefix of its own', () => {
    const { port, ...names } = namesFor('categories', services);
    expect(names).toEqual({
      plural: 'categories',
      singular: 'category',
      service: 'categories-service',
      prefix: '/api/categories',
    });
    expect(services.map((service) => service.port)).not.toContain(port);
  });

  it.each(['leads', 'users'])('%s is taken', (name) => {
    expect(() => namesFor(name, services)).toThrow(`${name}-service is there already`);
  });

  it.each([undefined, '', 'invoice', 'Invoices', 'price-lists', '../invoices', 'invoices;ls'])(
    '%j cannot be one',
    (name) => {
      expect(() => namesFor(name, services)).toThrow('npm run new-service -- invoices');
    },
  );
});

describe('npm run new-service -- invoices', () => {
  let root: string;
  let said: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tenantry-new-service-'));
    await copyCheckout(root);
    said = await run('tools/bootstrap.mjs', 'new-service', 'invoices');
  }, 240_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** Runs a program of the copy with the Node that it pins. */
  async function run(script: string, ...args: readonly string[]): Promise<string> {
    const file = join(root, script);
    const running = promisify(execFile)(process.execPath, [file, ...args], {
      cwd: root,
      timeout: 200_000,
    });
    const { stdout } = await running.catch((error: unknown) => {
      const { message, stdout: said, stderr } = error as Error & { stdout: string; stderr: string };
      throw new Error(`${script} ${args.join(' ')}: ${message}\n${said}\n${stderr}`);
    });
    return stdout;
  }

  it('says where the service is and what to do with it', () => {
    expect(said).toContain('apps/invoices-service answers /api/invoices');
  });

  it('leaves nothing of the template’s names', () => {
    const files = globSync('{apps/invoices-service,tools/test-system/matrix/requests}/**/*invoice*', {
      cwd: root,
    });
    expect(files).toContain('apps/invoices-service/src/invoices/invoices.repository.ts');
    expect(files).toContain('tools/test-system/matrix/requests/invoices-service.ts');
    const own = globSync('apps/invoices-service/{*.*,{src,test,prisma}/**/*.{ts,prisma,sql}}', { cwd: root });
    for (const file of own) {
      if (!file.includes('generated'))
        expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/sample/i);
    }
  });

  it('makes a service whose types hold', async () => {
    const configuration = join(root, 'apps/invoices-service/tsconfig.whole.json');
    const options = {
      noEmit: true,
      composite: false,
      incremental: false,
      rewriteRelativeImportExtensions: false,
    };
    const whole = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { ...options, allowImportingTsExtensions: true },
      include: ['src', 'test'],
    };
    writeFileSync(configuration, JSON.stringify(whole));
    await run('node_modules/@typescript/native/bin/tsc', '-p', configuration);
  }, 200_000);

  it('makes a service that passes its tests, those of every business service among them', async () => {
    const file = join(root, 'report.json');
    const reported = ['--reporter=json', `--outputFile=${file}`];
    await run('node_modules/vitest/vitest.mjs', 'run', '--root=apps/invoices-service', ...reported);
    const report = JSON.parse(readFileSync(file, 'utf8')) as {
      numPassedTests: number;
      numFailedTests: number;
    };
    expect(report.numFailedTests).toBe(0);
    expect(report.numPassedTests).toBeGreaterThan(20);
  }, 200_000);

  it('makes a service that runs on a database with its migration', async () => {
    const projectRoot = join(root, 'apps/invoices-service');
    const database = await createTestDatabase('invoices-service', { projectRoot });
    const port = await freePort();
    const child = spawn(process.execPath, ['--conditions=@tenantry/source', 'src/main.ts'], {
      cwd: projectRoot,
      env: { PATH: process.env['PATH'], PORT: String(port), DATABASE_URL: database.runtimeUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    const log = testLogOf(child);
    try {
      const status = async () =>
        (await fetch(`http://127.0.0.1:${port}/api/invoices`).catch(() => undefined))?.status;
      await expect.poll(status, { timeout: 30_000, message: log.text() }).toBe(401);
    } finally {
      child.kill('SIGTERM');
      await closed;
      await database.drop();
    }
  }, 60_000);
});
