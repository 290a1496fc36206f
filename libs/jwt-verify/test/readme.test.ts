import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { eventually } from './eventually.ts';

const project = resolve(import.meta.dirname, '..');
const node = resolve(project, '../../node_modules/.bin/node');
// Beside the project's own modules, so that the examples find what they import.
const directory = resolve(project, `node_modules/.readme-${process.pid}`);
const readme = readFileSync(resolve(project, 'README.md'), 'utf8');

const examples = [...readme.matchAll(/^### (?<title>.+)\n\n```js\n(?<code>[^]+?)```$/gm)].map(
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

/** Runs an example as it stands and gives its address once it answers. */
async function start(code: string): Promise<string> {
  const file = resolve(directory, 'service.mjs');
  writeFileSync(file, code);
  const port = await freePort();
  running = spawn(node, ['--conditions=@tenantry/source', file], {
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
  it('shows a service in Fastify, Express and node:http, each in twenty lines', () => {
    expect(examples.map(([title]) => title)).toEqual(['Fastify', 'Express', 'node:http']);
    for (const [, code] of examples) expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });

  it.each(examples)('has a service in %s that works as it stands', async (title, code) => {
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
    await eventually(async () => (await send(`${origin}/report`, admin)).status === 401, 1000);
  });

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
    const inReadme = [...readme.matchAll(/^\| `((?:TOKEN|KEYS|REVOCATIONS)_[A-Z_]+)` +\| (\d{3})/gm)].map(
      ([, code, status]) => [code, status],
    );
    expect(inSource.length).toBeGreaterThan(10);
    expect(inReadme).toEqual(inSource);
  });
});
