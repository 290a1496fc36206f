import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { openTestFeed, type TestFeed } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

describe('a quote whose sender is killed between commit and mail', { timeout: 120_000 }, () => {
  let directory: string;
  let postgres: Postgres;
  let issuer: TestIssuer;
  let feed: TestFeed;
  const instances: Instance[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-quotes-'));
    postgres = await startTemporaryPostgres();
    issuer = await createTestIssuer({ server: true });
    feed = await openTestFeed();
  }, 60_000);

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await issuer.close();
    await feed.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('is mailed by the next instance, once', async () => {
    // It takes connections and never says a word: the mail is in hand, and cannot be sent.
    let connections = 0;
    const hanging = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const mail = join(directory, 'mail');
    const common = {
      DATABASE_URL: await migratedDatabase(postgres, 'quotation-service'),
      AUTH_URL: issuer.issuer,
      AUTH_REVOCATIONS_URL: new URL('/internal/revocations', issuer.issuer).href,
      MAIL_DIRECTORY: mail,
      ...feed.env,
    };
    const start = async (env: Readonly<Record<string, string>> = {}) => {
      const instance = await startInstance('quotation-service', {
        ...common,
        ...env,
        PORT: String(await freePort()),
      });
      instances.push(instance);
      return instance;
    };
    const { port } = hanging.address() as AddressInfo;
    const first = await start({ SMTP_URL: `smtp://127.0.0.1:${port}` });

    const token = await issuer.token({ organizationId: randomUUID() });
    const created = await call(first.url, 'POST /api/quotation/quotes', {
      token,
      body: { customerId: randomUUID(), title: 'New roof' },
    });
    const { id, number } = (created.body as { data: { id: string; number: string } }).data;
    const sent = await call(first.url, `POST /api/quotation/quotes/${id}/send`, {
      token,
      body: { recipientEmail: 'karin@astrom.example' },
    });
    expect(sent.status).toBe(200);
    await eventually(() => expect(connections).toBeGreaterThan(0), 20_000);
    await first.kill();
    hanging.close();

    const second = await start();
    // The mail is the first instance's for two minutes: they are over.
    const admin = new pg.Client(new URL(new URL(common.DATABASE_URL).pathname, postgres.adminUrl).href);
    await admin.connect();
    await admin.query('UPDATE due_work SET next_attempt_at = clock_timestamp()');
    const letters = async () => (await readdir(mail).catch(() => [])).filter((name) => name.endsWith('.eml'));
    await eventually(async () => expect(await letters()).toHaveLength(1), 20_000);
    await eventually(async () => {
      const answer = await call(second.url, `GET /api/quotation/quotes/${id}/deliveries`, { token });
      expect(answer.body).toMatchObject({ data: [{ state: 'delivered', attempts: 2 }] });
    }, 10_000);
    await admin.query('UPDATE due_work SET next_attempt_at = clock_timestamp() WHERE attempts > 0');
    await admin.end();
    expect(await letters()).toHaveLength(1);
    expect(number).toMatch(/^Q-\d{4}-0001$/);
  });
});
