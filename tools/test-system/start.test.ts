import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { createVerifier } from '@tenantry/jwt-verify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../test/support/checkout.ts';
import { call, newTenant, signIn } from '../test/support/client.ts';
import { postmaster, processesOf } from '../test/support/processes.ts';
import {
  eventually,
  expectNothingLeft,
  npmStart,
  runNpmStart,
  spawnNpmStart,
  type Tenantry,
} from '../test/support/tenantry.ts';

const hasCurl = spawnSync('curl', ['--version']).status === 0;

describe('npm start', () => {
  let root: string;
  let running: Tenantry | undefined;

  beforeAll(async () => {
    root = join(await realpath(await mkdtemp(join(tmpdir(), 'tenantry start '))), 'a checkout');
    await copyCheckout(root);
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(async () => {
    for (const { pid } of processesOf(root)) process.kill(pid, 'SIGKILL');
    await rm(join(root, '..'), { recursive: true, force: true });
  });

  const start = async (...args: string[]) => (running = await npmStart(root, args));
  const servicePid = async (name: string) => {
    const record = await readFile(join(root, '.tenantry/run/services.json'), 'utf8');
    return (JSON.parse(record) as Record<string, { pid: number }>)[name]!.pid;
  };

  describe('that has been started', () => {
    let shared: Tenantry;

    beforeAll(async () => {
      shared = await npmStart(root, []);
    });
    afterAll(() => shared.stop());

    it('answers from the first request to the last, and shows one tenant nothing of another', async () => {
      const { url } = shared;
      const [ada, bob] = [await newTenant(url, 'Ada'), await newTenant(url, 'Bob')];
      const lead = { name: 'Åse Lindqvist', email: 'ase@lindqvist.example', phone: '+47 22 00 00 01' };

      const created = await call<{ data: { id: string } }>(url, 'POST /api/leads', {
        token: ada.token,
        body: lead,
      });
      expect(created.status).toBe(201);
      const path = `/api/leads/${created.body.data.id}` as const;
      expect((await call(url, `GET ${path}`, ada)).body).toMatchObject({ data: { ...lead, status: 'new' } });
      const found = await call(url, 'GET /api/leads?search=ase', ada);
      expect(found.body).toMatchObject({ data: [lead], meta: { total: 1, page: 1, pageSize: 10 } });
      const moved = await call(url, `PUT ${path}`, { token: ada.token, body: { status: 'contacted' } });
      expect(moved).toMatchObject({ status: 200, body: { data: { status: 'contacted' } } });

      expect((await call(url, 'GET /api/leads', bob)).body).toMatchObject({ data: [], meta: { total: 0 } });
      for (const request of [`GET ${path}`, `DELETE ${path}`] as const) {
        expect(await call(url, request, bob)).toMatchObject({
          status: 404,
          body: { error: { code: 'NOT_FOUND' } },
        });
      }
      expect((await call(url, 'GET /api/leads')).status).toBe(401);

      expect((await call(url, `DELETE ${path}`, ada)).status).toBe(204);
      expect((await call(url, `GET ${path}`, ada)).status).toBe(404);
    });

    it.skipIf(!hasCurl)('answers the first requests of the README as they stand there', async () => {
      const { url } = shared;
      const readme = await readFile(join(root, 'README.md'), 'utf8');
      const sections = ['A first request', 'A quote, from draft to accepted', 'A program with a key'].map(
        (title) => readme.split(`\n## ${title}\n`)[1]?.match(/```sh\n(.*?)```/s)?.[1] ?? '',
      );
      // Its files go into the checkout that is thrown away.
      const here = sections.join('').replace('http://127.0.0.1:8080', url).replaceAll('/tmp/', './');
      expect(here).toContain(`API=${url}`);
      // A second time too: nothing in it is taken.
      for (let time = 1; time <= 2; time += 1) {
        const { stdout } = await promisify(execFile)('bash', ['-euc', here], { cwd: root });
        expect(stdout).toContain('"name":"Charles Babbage"');
        expect(stdout).toContain('"meta":{"total":1,"page":1,"pageSize":10}');
        expect(stdout).toContain('"status":"sent"');
        expect(stdout).toMatch(/"totalAmount":7730\.63\b.*"status":"accepted"/);
        const read = stdout.trimEnd().split('\n').at(-1)?.slice(-2_000);
        expect(read).toMatch(/"name":"Charles Babbage".*"meta":\{"total":1,"page":1,"pageSize":10\}\}$/);
      }
    });

    it('prints Ready once, nothing but JSON lines after it, and keeps its secrets to its owner', async () => {
      const { url, output } = shared;
      expect((await call(url, 'GET /api/health/ready')).body).toMatchObject({ status: 'ready' });
      const [before = '', after = ''] = output.stdout.trimEnd().split(`Ready  ${url}\n`);
      const lines = after.split('\n');
      expect(before).not.toContain('{');
      expect(lines.length).toBeGreaterThan(4);
      for (const line of lines) expect(JSON.parse(line)).toHaveProperty('service');
      const secrets = JSON.parse(await readFile(join(root, '.tenantry/secrets.json'), 'utf8')) as object;
      for (const secret of Object.values(secrets))
        expect(output.stdout + output.stderr).not.toContain(secret);
      expect((await stat(join(root, '.tenantry/secrets.json'))).mode & 0o777).toBe(0o600);
      expect((await stat(join(root, '.tenantry'))).mode & 0o777).toBe(0o700);
    });

    it('prints before it what a service of somebody else’s verifies tokens with', async () => {
      const { url, output } = shared;
      const { AUTH_URL, AUTH_JWKS_URL, AUTH_REVOCATIONS_URL, ...others } = parseEnv(
        output.stdout.split('\nReady  ')[0] ?? '',
      );
      expect(others).toEqual({});
      expect(AUTH_URL).toBe(`${url}/api/auth`);
      const verifier = createVerifier({
        issuer: AUTH_URL!,
        jwks: AUTH_JWKS_URL,
        revocations: AUTH_REVOCATIONS_URL!,
      });
      await verifier.ready();
      const { token } = await newTenant(url, 'Ada');
      expect((await verifier.verify(token)).name).toContain('Ada');
      verifier.close();
    });

    it('refuses a second start of the same checkout in one sentence', async () => {
      const { code, stdout, stderr } = await runNpmStart(root, []);
      expect(code).toBe(1);
      expect(stdout).toBe('');
      expect(stderr.trim()).toMatch(/^Tenantry is already running here \(process \d+\): stop that one first/);
    });

    it('starts a service again that was killed, and answers as before [S-157]', async () => {
      const { url, output } = shared;
      const ada = await newTenant(url, 'Ada');
      for (const name of ['leads-service', 'auth-service', 'gateway']) {
        const pid = await servicePid(name);
        process.kill(pid, 'SIGKILL');
        await eventually(() => expect(output.stdout).toContain(`${name} is ready again`));
        expect(await servicePid(name)).not.toBe(pid);
        await eventually(async () => {
          for (const path of ['/api/leads', '/api/auth/session'] as const) {
            const answer = await call(url, `GET ${path}`, ada).catch(() => undefined);
            expect(answer?.status, path).toBe(200);
          }
        });
      }
      expect(output.stdout).toContain('leads-service ended by itself (SIGKILL): starting it again');
    });

    it('starts PostgreSQL again that was killed, and loses nothing that was acknowledged [S-157]', async () => {
      const { url } = shared;
      const ada = await newTenant(url, 'Ada');
      await call(url, 'POST /api/leads', {
        token: ada.token,
        body: { name: 'Kept', email: 'kept@lead.example' },
      });
      process.kill((await postmaster(root)).pid, 'SIGKILL');
      await eventually(async () => {
        const answer = await call(url, 'GET /api/leads', ada);
        expect([200, 503]).toContain(answer.status);
        expect(answer.body).toMatchObject({ data: [{ name: 'Kept' }] });
      });
    });
  });

  it('leaves no process and no port behind at SIGTERM, and finds its data at the next start', async () => {
    const first = await start();
    const ada = await newTenant(first.url, 'Ada');
    await call(first.url, 'POST /api/leads', {
      token: ada.token,
      body: { name: 'Kept', email: 'kept@lead.example' },
    });
    const ports = [...first.ports(), (await postmaster(root)).port];
    expect(ports).toHaveLength(6);
    expect(await first.stop()).toBe(0);
    await expectNothingLeft(root, ports);

    const second = await start();
    const leads = await call(second.url, 'GET /api/leads', await signIn(second.url, ada));
    expect(leads.body).toMatchObject({ data: [{ name: 'Kept' }] });
  });

  it('names the way out when the port of the gateway is taken', async () => {
    const stranger = createServer().listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const { port } = stranger.address() as { port: number };
    const { code, stderr } = await runNpmStart(root, [], { PORT: String(port) });
    stranger.close();
    expect(code).toBe(1);
    expect(stderr.trim()).toBe(
      `Port ${port} is in use by another program: choose another one, for example PORT=8081 npm start.`,
    );
    await expectNothingLeft(root, []);
  });

  it('recovers at the next start when the starter was killed', async () => {
    const first = await start();
    const ada = await newTenant(first.url, 'Ada');
    const starter = processesOf(root).find(({ command }) => command.includes('tools/src/start/main.ts'));
    // A service that hangs does not notice that its starter is gone: the next start ends it.
    process.kill(await servicePid('users-service'), 'SIGSTOP');
    process.kill(starter!.pid, 'SIGKILL');
    await first.stop();

    const { url } = await start();
    expect((await call(url, 'GET /api/leads', await signIn(url, ada))).status).toBe(200);
    const services = () => processesOf(root).filter(({ command }) => command.includes('end-with-parent'));
    await eventually(() => expect(services()).toHaveLength(5));
  });

  it('stops in the middle of starting', async () => {
    const { npm, output } = spawnNpmStart(root, [], { PORT: '0' });
    await eventually(() => expect(output.stderr).toContain('PostgreSQL'));
    npm.kill('SIGINT');
    const [code] = (await once(npm, 'close')) as [number | null];
    expect(code).toBe(0);
    expect(output.stdout).toBe('');
    await expectNothingLeft(root, []);
  });

  it('tells what it takes', async () => {
    expect((await runNpmStart(root, ['--help'])).stdout).toContain('npm start -- --demo');
    const unknown = await runNpmStart(root, ['--demoo']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain("Unknown option '--demoo'");
  });
});
