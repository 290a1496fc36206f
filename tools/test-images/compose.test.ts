import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, workspaceRoot } from '@tenantry/dev-database';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readSettings } from '../src/configuration/schema.ts';
import { discoverServices } from '../src/services.ts';
import { call, newTenant, signIn, type Tenant } from '../test/support/client.ts';
import { scriptsOf } from '../test/support/documents.ts';
import { composeStack, docker, inspect, type Stack } from './support/docker.ts';

let stack: Stack;
let ada: Tenant;

beforeAll(async () => {
  stack = await composeStack(await freePort());
  await up();
});
afterAll(() => stack.compose('down', '--volumes', '--timeout=20'));

/** Returns once the API answers. */
async function up(...args: string[]): Promise<void> {
  await stack.compose('up', '--detach', '--no-build', ...args);
  for (let tries = 0; ; tries += 1) {
    const ready = await fetch(`${stack.url}/api/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    if (tries === 100)
      throw new Error(`the gateway is not ready:\n${await stack.compose('logs', '--tail=50')}`);
    await sleep(200);
  }
}

const containersOf = async (service: string) =>
  (await stack.compose('ps', '-q', service)).split('\n').filter(Boolean);
const lead = { name: 'Charles Babbage', email: 'charles@example.com' };

describe('docker compose up, with nothing set', () => {
  it('takes a newcomer from sign-up to a lead, and says which commit answers', async () => {
    ada = await newTenant(stack.url, 'Ada');
    const created = await call(stack.url, 'POST /api/leads', { token: ada.token, body: lead });
    expect(created.status).toBe(201);

    const health = await call<{ status: string; version: string }>(stack.url, 'GET /api/health');
    expect(health.body).toMatchObject({ status: 'healthy' });
    const { Config } = await inspect('tenantry/gateway');
    const revision = Config.Labels['org.opencontainers.image.revision'] ?? '';
    expect(health.body.version).toMatch(new RegExp(`\\+${revision.slice(0, 12)}$`));
  });

  it.each(discoverServices(workspaceRoot))(
    'runs $name read-only, without capabilities and with its own secrets alone',
    async (service) => {
      const { name, hasDatabase, secrets } = service;
      const [container = ''] = await containersOf(name);
      const { Config, HostConfig } = await inspect(container);
      expect(HostConfig).toMatchObject({ ReadonlyRootfs: true, CapDrop: ['ALL'] });
      expect(HostConfig.CapAdd ?? []).toEqual([]);
      expect(HostConfig.SecurityOpt).toContain('no-new-privileges:true');
      expect(Config.User).toBe('65532:65532');
      expect(Config.Env.filter((variable) => /SECRET|PASSWORD|API_KEY|DATABASE_URL/.test(variable))).toEqual(
        [],
      );

      const names = await docker('exec', container, 'node', '-p', "fs.readFileSync('/secrets/env', 'utf8')");
      const redis = 'REDIS_URL' in (await readSettings(service)).properties ? ['REDIS_URL'] : [];
      const expected = [...(hasDatabase ? ['DATABASE_URL'] : []), ...redis, ...secrets];
      expect([...names.matchAll(/^\w+/gm)].map(String).sort()).toEqual(expected.sort());
    },
  );

  it('lists the signing keys from within the container of auth-service', async () => {
    const [container = ''] = await containersOf('auth-service');
    const list = await docker('exec', container, 'node', '--env-file=/secrets/env', 'dist/keys.js', 'list');
    expect(list).toMatch(/signing\s+signs from /);
  });

  it('serves from both instances of a service that runs twice', async () => {
    await up('--scale', 'leads-service=2');
    const containers = await containersOf('leads-service');
    expect(containers).toHaveLength(2);

    const served = new Set<string>();
    for (let tries = 0; served.size < 2 && tries < 60; tries += 1) {
      const { headers } = await call(stack.url, 'GET /api/leads', { token: ada.token });
      const requestId = headers.get('x-request-id') ?? '';
      await sleep(500);
      for (const container of containers) {
        if ((await docker('logs', '--tail=50', container)).includes(requestId)) served.add(container);
      }
    }
    expect(served.size).toBe(2);
  });

  it('finds its data and secrets again when it is taken down and brought up', async () => {
    await stack.compose('down', '--timeout=20');
    await up();
    const { email, password } = ada;
    const signedIn = await call(stack.url, 'POST /api/auth/sign-in/email', { body: { email, password } });
    expect(signedIn.status).toBe(200);
  });

  it('is what it was after a restore, by the commands of docs/operations.md as they stand there', async () => {
    const operations = await readFile(join(workspaceRoot, 'docs/operations.md'), 'utf8');
    const [take = '', restore = ''] = scriptsOf(operations, 'With Docker Compose');
    const BACKUP = await mkdtemp(join(tmpdir(), 'tenantry-compose-backup-'));
    onTestFinished(() => rm(BACKUP, { recursive: true, force: true }));
    const { email, password } = ada;
    const leads = async () => {
      const { body } = await call<{ session: { token: string } }>(stack.url, 'POST /api/auth/sign-in/email', {
        body: { email, password },
      });
      return (await call(stack.url, 'GET /api/leads', { token: body.session.token })).body;
    };
    const before = await leads();

    await stack.script(take, { BACKUP });
    await up();
    await call(stack.url, 'POST /api/leads', { token: (await signIn(stack.url, ada)).token, body: lead });
    expect(await leads()).not.toEqual(before);
    // As on a machine that knows nothing of it.
    await stack.compose('down', '--volumes', '--timeout=20');
    await stack.script(restore, { BACKUP });
    await up();
    expect(await leads()).toEqual(before);
  });
});
