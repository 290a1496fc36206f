import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connected, freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canary, canarySecret } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

describe('what was committed when its instance is killed', () => {
  let directory: string;
  let postgres: Postgres;
  let hangingMailServer: Server;
  let connections = 0;
  const instances: Instance[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-delivery-'));
    postgres = await startTemporaryPostgres();
    // It takes connections and never says a word: a letter is in hand, and cannot be sent.
    hangingMailServer = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(hangingMailServer, 'listening');
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    hangingMailServer.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('reaches its readers from another one: letters and events [S-157]', async () => {
    const key = canarySecret();
    const common = {
      DATABASE_URL: await migratedDatabase(postgres, 'auth-service'),
      AUTH_SECRET: canarySecret(),
      INTERNAL_API_KEY: key,
      MAIL_DIRECTORY: join(directory, 'mail'),
      BCRYPT_COST: '4',
    };
    const start = async (env: Readonly<Record<string, string>>) => {
      const port = String(await freePort());
      const instance = await startInstance('auth-service', { ...common, ...env, PORT: port });
      instances.push(instance);
      return instance;
    };
    const { port } = hangingMailServer.address() as AddressInfo;
    const first = await start({ SMTP_URL: `smtp://127.0.0.1:${port}` });

    const email = `ada.${randomBytes(4).toString('hex')}@example.com`;
    const body = { email, password: `correct horse ${canary}`, name: 'Ada Lovelace' };
    expect((await call(first.url, 'POST /api/auth/sign-up/email', { body })).status).toBe(201);
    await eventually(() => expect(connections).toBeGreaterThan(0));
    await first.kill();

    const second = await start({});
    const answer = await call(second.url, 'GET /internal/events', { token: key });
    const { entries } = answer.body as { entries: { type: string; email?: string }[] };
    expect(entries.filter((event) => event.email === email).map(({ type }) => type)).toEqual([
      'member.added',
    ]);
    // The letter is the first instance's for a minute, which passes here.
    await connected(common.DATABASE_URL, (client) =>
      client.query("UPDATE mail_outbox SET next_attempt_at = next_attempt_at - INTERVAL '1 minute'"),
    );
    const letter = await eventually(async () => {
      const names = await readdir(common.MAIL_DIRECTORY).catch(() => []);
      const name = names.find((file) => file.endsWith('.eml')) ?? '';
      expect(name).not.toBe('');
      return readFile(join(common.MAIL_DIRECTORY, name), 'utf8');
    });
    expect(letter).toContain(`To: ${email}`);
  });
});
