import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { freePort, workspaceRoot } from '@tenantry/dev-database';
import { patience, startTraceCollector, testLogOf } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../src/bundle/bundle.ts';
import { bundleable, describeBundle } from '../src/bundle/contents.ts';

const revision = '4f2a91c07d3e55aa10c2b3f4d5e6f708192a3b4c';
let root: string;
const sources = new Map<string, string[]>();
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'tenantry-bundle-'));
  for (const name of bundleable(workspaceRoot)) {
    const contents = describeBundle(name, { workspaceRoot, revision });
    sources.set(name, await bundle(contents, { workspaceRoot, directory: join(root, name) }));
  }
});
afterAll(() => rm(root, { recursive: true }));

/** The folder that the programs of a bundle run in. */
const homeOf = (name: string) => join(root, name, 'apps', name);

/** Runs a program where no node_modules but those of the bundle are in reach. */
async function run(home: string, program: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      program,
      { cwd: home, env, timeout: patience(60_000) },
      (_error, stdout, stderr) => resolve(`${stdout}${stderr}`),
    );
  });
}

const services = bundleable(workspaceRoot).filter((name) => name !== 'migrate');

describe.each(services)('the bundle of %s', (name) => {
  it('runs by Node alone', async () => {
    expect(await run(homeOf(name), ['dist/main.js'])).toContain(
      `${name} cannot start, its configuration is not valid`,
    );
  });

  it('holds nothing for development', async () => {
    const paths = sources
      .get(name)
      ?.map((path) => relative(workspaceRoot, path))
      .join('\n');
    expect(paths).toMatch(/^libs\/service\/src\/http\/service\.ts$/m);
    expect(paths).not.toMatch(
      /^(libs\/(test-kit|service-tests|sql-check|dev-database)|tools|bench)\/|\/test\//m,
    );
    expect(paths).not.toMatch(/^node_modules\/(prisma|@prisma\/(dev|engines|migrate))\//m);
    const hasDatabase = existsSync(join(workspaceRoot, 'apps', name, 'prisma'));
    expect((await readdir(homeOf(name))).sort()).toEqual([
      'dist',
      'package.json',
      ...(hasDatabase ? ['prisma'] : []),
    ]);
    expect((await readdir(join(root, name))).filter((entry) => entry !== 'node_modules')).toEqual(['apps']);
    expect((await readdir(join(root, name, 'apps'))).sort()).toEqual([
      ...(name === 'gateway' ? ['console'] : []),
      name,
    ]);
  });
});

it('the bundle of the gateway holds neither a database nor mail', () => {
  const paths = sources
    .get('gateway')
    ?.map((path) => relative(workspaceRoot, path))
    .join('\n');
  expect(paths).toMatch(/^libs\/service\/src\/rate-limits\//m);
  expect(paths).not.toMatch(
    /^libs\/(tenancy\/src\/pool\.ts|service\/src\/(work|definition|tenants|business)\/)/m,
  );
  expect(paths).not.toMatch(/^node_modules\/(pg|@prisma|nodemailer)\b/m);
});

it('the bundle of auth-service holds the program for its keys, and the migrations that it waits for', async () => {
  expect(await run(homeOf('auth-service'), ['dist/keys.js', 'list'])).toContain(
    'keys cannot start, its configuration is not valid',
  );
  expect(await readdir(join(homeOf('auth-service'), 'prisma/migrations'))).toContain('20261120100000_init');
});

it('the bundle of quotation-service makes PDFs in threads, with its fonts', async () => {
  const item = {
    id: 'i',
    articleNumber: '',
    description: 'Räckvidd שלום 漢字 हिन्दी',
    quantity: 1,
    unit: 'h',
  };
  const head = {
    ...{ quoteId: 'q', number: 'Q-1', revision: 1, status: 'sent', title: 'Roof', description: '' },
    ...{
      seller: { name: 'Tak AB', address: '', vatNumber: '' },
      customer: { id: 'c', name: '', email: null },
    },
    ...{ subtotal: 1, vatRate: 0, vatExemptionReason: null, vatAmount: 0, totalAmount: 1, currency: 'SEK' },
    ...{
      validUntil: '2030-01-01T00:00:00.000Z',
      timeZone: 'UTC',
      createdAt: '2026-01-01T00:00:00.000Z',
      sentAt: null,
    },
  };
  const workPackage = {
    ...{ id: 'p', name: 'P', description: '', subtotal: 1 },
    items: [{ ...item, unitPrice: 1, totalPrice: 1 }],
  };
  const quote = { head, packages: [JSON.stringify(workPackage)] };
  const program = `
    import { Piscina } from 'piscina';
    const pool = new Piscina({ filename: process.cwd() + '/dist/pdf.worker.js', name: 'makePdf' });
    console.log(Buffer.from(await pool.run(${JSON.stringify({ quote, language: 'en' })})).toString('latin1', 0, 8));
    await pool.destroy();`;
  expect(await run(homeOf('quotation-service'), ['--input-type=module', '-e', program])).toBe('%PDF-1.7\n');
});

it('the bundle of a commit says so in its version', async () => {
  const manifest = await readFile(join(homeOf('gateway'), 'package.json'), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toMatch(/^\d+\.\d+\.\d+\+4f2a91c07d3e$/);
});

it('the bundle of gateway brings the console as it is built, compressed', async () => {
  const console = join(root, 'gateway/apps/console');
  expect(await readdir(console)).toEqual(['dist']);
  expect(await readdir(join(console, 'dist'))).toEqual(
    expect.arrayContaining(['assets', 'boot.js', 'boot.js.br', 'index.html', 'index.html.br']),
  );
});

it('the bundle of gateway traces where a collector is named', async () => {
  const collector = await startTraceCollector();
  const port = await freePort();
  const gateway = spawn(process.execPath, ['dist/main.js'], {
    cwd: homeOf('gateway'),
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      TRACE_RATIO: '1',
    },
  });
  const log = testLogOf(gateway);
  const ended = once(gateway, 'close');
  await expect.poll(log.text).toContain('Server listening');
  await fetch(`http://127.0.0.1:${port}/nowhere`);
  const spans = () => collector.spans.map(({ service, name }) => `${service}: ${name}`);
  await expect.poll(spans).toEqual(['gateway: GET']);
  gateway.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  await collector.close();
});

it('the bundle that migrates asks for the addresses of the databases, and brings no PostgreSQL', async () => {
  expect(await run(homeOf('migrate'), ['dist/main.js'])).toContain('LEADS_SERVICE_MIGRATION_DATABASE_URL');
});
