import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canarySecret, startTcpLink } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// Instances of quotation-service as processes, one of which is killed from outside: it has no fault to trigger in it.

const quotesUrl = '/api/quotation/quotes';

describe('quotation-service', () => {
  let directory: string;
  let postgres: Postgres;
  let admin: pg.Pool;
  let start: () => Promise<Instance>;
  let leads: Instance;
  let ada: Tenant;
  const running: Instance[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-numbers-'));
    postgres = await startTemporaryPostgres();
    const [authPort, leadsPort] = [String(await freePort()), String(await freePort())];
    const quotationDatabase = await migratedDatabase(postgres, 'quotation-service');
    const database = new URL(postgres.adminUrl);
    database.pathname = new URL(quotationDatabase).pathname;
    admin = new pg.Pool({ connectionString: database.href, max: 1 });
    // A connection that is still closing is cut when the server stops.
    admin.on('error', () => undefined);
    const key = canarySecret();
    const issuer = `http://127.0.0.1:${authPort}/api/auth`;
    const auth = await startInstance('auth-service', {
      PORT: authPort,
      DATABASE_URL: await migratedDatabase(postgres, 'auth-service'),
      AUTH_URL: issuer,
      AUTH_SECRET: canarySecret(),
      INTERNAL_API_KEY: key,
      MAIL_DIRECTORY: join(directory, 'mail'),
      BCRYPT_COST: '4',
    });
    const peer = {
      AUTH_URL: issuer,
      AUTH_INTERNAL_URL: `http://127.0.0.1:${authPort}`,
      INTERNAL_API_KEY: key,
      AUTH_REVOCATIONS_URL: `http://127.0.0.1:${authPort}/internal/revocations`,
    };
    leads = await startInstance('leads-service', {
      ...{ ...peer, PORT: leadsPort },
      DATABASE_URL: await migratedDatabase(postgres, 'leads-service'),
    });
    start = async () => {
      const instance = await startInstance('quotation-service', {
        ...peer,
        PORT: String(await freePort()),
        DATABASE_URL: quotationDatabase,
        LEADS_URL: leads.url,
      });
      running.push(instance);
      return instance;
    };
    running.push(auth, leads);
    ada = await newTenant(auth.url, 'Ada');
  });

  afterAll(async () => {
    await Promise.all(running.map((instance) => instance.kill()));
    await admin.end();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('numbers 100 parallel quotes without a gap, none twice, with an instance killed in between [S-121]', async () => {
    const [doomed, other] = [await start(), await start()];
    const link = await startTcpLink(Number(new URL(doomed.url).port));
    onTestFinished(() => link.close());
    // What it makes from now on is never acknowledged.
    link.freezeResponses();
    const acknowledged: string[] = [];
    const create = async (url: string) => {
      const body = { customerId: randomUUID(), title: 'New roof' };
      const answer = await call<{ data: { number: string } }>(url, `POST ${quotesUrl}`, {
        token: ada.token,
        body,
      });
      expect(answer.status).toBe(201);
      acknowledged.push(answer.body.data.number);
    };
    const attempts = Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        create(n % 2 === 0 ? `http://127.0.0.1:${link.port}` : other.url),
      ),
    );
    // The other one has made fifty at most, so this one has begun.
    await eventually(async () => {
      const { rowCount } = await admin.query('SELECT FROM quotes');
      expect(rowCount).toBeGreaterThan(60);
    });
    await doomed.kill();
    link.reset();
    const broken = (await attempts).filter(({ status }) => status === 'rejected').length;
    expect([broken, acknowledged.length]).toEqual([50, 50]);
    // What was cut off is sent again, as a client would.
    const successor = await start();
    await Promise.all(Array.from({ length: broken }, () => create(successor.url)));

    const { rows } = await admin.query<{ number: string; sequence: number }>(
      'SELECT number, number_sequence AS sequence FROM quotes ORDER BY number_sequence',
    );
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, n) => n + 1));
    expect(acknowledged).toHaveLength(100);
    expect(new Set(acknowledged).size).toBe(100);
    const stored = new Set(rows.map(({ number }) => number));
    expect(acknowledged.filter((number) => !stored.has(number))).toEqual([]);
  });

  it('names a customer that is a lead of the organization after it', async () => {
    const { url } = await start();
    const { token } = ada;
    const lead = await call<{ data: { id: string } }>(leads.url, 'POST /api/leads', {
      token,
      body: { name: 'Charles Babbage', email: 'charles@example.com' },
    });
    const customerId = lead.body.data.id;
    const body = { customerId, title: 'An engine' };
    const created = await call<{ data: { id: string } }>(url, `POST ${quotesUrl}`, { token, body });
    const quote = await call(url, `GET ${quotesUrl}/${created.body.data.id}`, { token });
    expect(quote.body).toMatchObject({
      data: { customerId, customerName: 'Charles Babbage', customerEmail: 'charles@example.com' },
    });
  });
});
