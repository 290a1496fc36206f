import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import ts from 'typescript';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { eventually } from '../test/eventually.ts';

const project = resolve(import.meta.dirname, '..');
const node = resolve(project, '../../node_modules/.bin/node');
// Beside the project's own modules, so that the examples find what they import.
const directory = resolve(project, `node_modules/.readme-${process.pid}`);
const readme = readFileSync(resolve(project, 'README.md'), 'utf8');

const examples = [...readme.matchAll(/^### (?<title>.+)\n\n```(?:js|ts)\n(?<code>[^]+?)```$/gm)].map(
  ({ groups }) => [groups?.['title'] ?? '', groups?.['code'] ?? ''] as const,
);

let issuer: TestIssuer;
let running: ChildProcess | undefined;

beforeAll(async () => {
  issuer = await createTestIssuer({ server: true });
  mkdirSync(directory, { recursive: true });
});
afterEach(async () => {
  if (running?.exitCode === null && running.kill()) await once(running, 'exit');
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await issuer.close();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What runs an example that only handles requests, as Workers would. */
const host = `
  import { serve } from '@hono/node-server';
  import service from './service.mjs';
  serve({ fetch: service.fetch, port: Number(process.env.PORT) });`;

/** Decorators are no JavaScript yet. */
function compiled(code: string): string {
  const compilerOptions = {
    experimentalDecorators: true,
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2023,
  };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

/** Runs an example as it stands and gives its address once it answers. */
async function start(code: string): Promise<string> {
  writeFileSync(resolve(directory, 'service.mjs'), compiled(code));
  writeFileSync(resolve(directory, 'host.mjs'), host);
  const isHandler = code.includes('export default');
  const file = resolve(directory, isHandler ? 'host.mjs' : 'service.mjs');
  const port = await freePort();
  const conditions = ['--conditions=@tenantry/source', ...(isHandler ? ['--conditions=workerd'] : [])];
  running = spawn(node, [...conditions, file], {
    env: {
      AUTH_URL: issuer.issuer,
      REVOCATIONS_URL: issuer.server?.revocationsUrl,
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://localhost:${port}`;
  await eventually(
    () =>
      fetch(origin).then(
        () => true,
        () => false,
      ),
    20_000,
  );
  return origin;
}

async function send(url: string, claims?: TestClaims, method = 'GET'): Promise<Response> {
  const headers = claims ? { authorization: `Bearer ${await issuer.token(claims)}` } : {};
  return fetch(url, { method, headers });
}

describe('the README', () => {
  it('shows a service in every framework, each in twenty lines', () => {
    const titles = ['Fastify', 'Express', 'node:http', 'Hono', 'Nest', 'Request and Response'];
    expect(examples.map(([title]) => title)).toEqual(titles);
    for (const [title, code] of examples) {
      const lines = code.split('\n').filter((line) => line.trim() !== '').length;
      // Decorators stand on lines of their own.
      expect([title, lines]).toEqual([title, Math.min(lines, title === 'Nest' ? 32 : 20)]);
    }
  });

  const onExpress4 = (code: string) => code.replace("from 'express'", "from 'express-4'");
  const runnable = examples.flatMap(([title, code]) =>
    title === 'Express'
      ? [[title, code] as const, ['Express 4', onExpress4(code)] as const]
      : [[title, code] as const],
  );

  it.each(runnable)('has a service in %s that works as it stands', async (title, code) => {
    const origin = await start(code);
    const admin = { role: 'admin', organizationId: 'organization-1', sid: `session of ${title}` };
    const welcome = await send(`${origin}/report`, admin);
    expect([welcome.status, await welcome.json()]).toEqual([200, { organizationId: 'organization-1' }]);

    const anonymous = await send(`${origin}/report`);
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await anonymous.json()).toMatchObject({ code: 'UNAUTHENTICATED' });

    const member = await send(`${origin}/report`, { role: 'member' });
    expect([member.status, ((await member.json()) as { code: string }).code]).toEqual([403, 'FORBIDDEN']);

    issuer.revoke({ kind: 'session', sid: admin.sid, until: Math.floor(Date.now() / 1000) + 900 });
    await eventually(async () => (await send(`${origin}/report`, admin)).status === 401);
  });

  it.each(examples.filter(([title]) => title !== 'Request and Response'))(
    'has a service in %s that is public where it says so, and nowhere else',
    async (_title, code) => {
      const origin = await start(code);
      expect(await (await send(`${origin}/health`)).json()).toEqual({ status: 'healthy' });
      expect((await send(`${origin}/elsewhere`)).ok).toBe(false);
    },
  );

  it.each(examples)(
    'has a service in %s that does not start, and says why, without its variables',
    async (_title, code) => {
      writeFileSync(resolve(directory, 'service.mjs'), compiled(code));
      const child = spawn(node, ['--conditions=@tenantry/source', resolve(directory, 'service.mjs')], {
        env: {},
      });
      let complaint = '';
      child.stderr.on('data', (chunk: Buffer) => (complaint += String(chunk)));
      expect(await once(child, 'exit')).toEqual([1, null]);
      expect(complaint).toMatch(/issuer is (undefined|""): give the address of the auth service/);
      expect(complaint).toMatch(/revocations is (undefined|""): give the URL of the revocation feed/);
    },
  );

  it('has a step-up in the Fastify example that works as it stands', async () => {
    const origin = await start(examples[0]?.[1] ?? '');
    const now = Math.floor(Date.now() / 1000);
    const admin = { role: 'admin', sub: 'user-1', amr: ['pwd', 'otp'] };
    const old = await send(`${origin}/report`, { ...admin, auth_time: now - 400 }, 'DELETE');
    expect(old.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    const recent = await send(`${origin}/report`, { ...admin, auth_time: now - 10 }, 'DELETE');
    expect(await recent.json()).toEqual({ deletedBy: 'user-1' });
  });

  it('lists every error code with its status, and no other', async () => {
    const source = readFileSync(resolve(project, 'src/errors.ts'), 'utf8');
    const inSource = [...source.matchAll(/^ {2}([A-Z_]+): \[(\d{3}),/gm)].map(([, code, status]) => [
      code,
      status,
    ]);
    const inReadme = [
      ...readme.matchAll(/^\| `((?:TOKEN|KEYS|CLOCK|REVOCATIONS)_[A-Z_]+)` +\| (\d{3})/gm),
    ].map(([, code, status]) => [code, status]);
    expect(inSource.length).toBeGreaterThan(10);
    expect(inReadme).toEqual(inSource);
  });
});
