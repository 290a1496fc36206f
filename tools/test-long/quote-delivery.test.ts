import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { openTestFeed, type TestFeed } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

describe('a mail whose instance is killed between the commit and the mail [S-168]', () => {
  let directory: string;
  let mail: string;
  let postgres: Postgres;
  let databaseUrl: string;
  let admin: pg.Client;
  let issuer: TestIssuer;
  let feed: TestFeed;
  let organizationId: string;
  let token: string;
  const instances: Instance[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-quotes-'));
    postgres = await startTemporaryPostgres();
    issuer = await createTestIssuer({ server: true });
    feed = await openTestFeed();
    databaseUrl = await migratedDatabase(postgres, 'quotation-service');
    admin = new pg.Client(new URL(new URL(databaseUrl).pathname, postgres.adminUrl).href);
    await admin.connect();
  });

  beforeEach(async () => {
    mail = await mkdtemp(join(directory, 'mail-'));
    organizationId = randomUUID();
    const userId = randomUUID();
    token = await issuer.token({ organizationId, sub: userId });
    const createdAt = new Date().toISOString();
    const settings = { defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false };
    feed.tell(
      { type: 'organization.created', organizationId, name: 'Tak AB', slug: 'tak', settings, createdAt },
      {
        ...{ type: 'member.added', organizationId, userId, role: 'admin', name: 'Eva', familyName: null },
        ...{ email: 'eva@tak.example', emailVerified: true, createdAt },
      },
    );
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await admin.end();
    await issuer.close();
    await feed.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** Mail goes into files, unless a mail server is named. */
  async function start(env: Readonly<Record<string, string>> = {}): Promise<Instance> {
    const instance = await startInstance('quotation-service', {
      DATABASE_URL: databaseUrl,
      AUTH_URL: issuer.issuer,
      AUTH_REVOCATIONS_URL: new URL('/internal/revocations', issuer.issuer).href,
      MAIL_DIRECTORY: mail,
      ...feed.env,
      ...env,
      PORT: String(await freePort()),
    });
    instances.push(instance);
    return instance;
  }

  /** Starts an instance, has it do something that is mailed, and kills it while the mail is in hand. */
  async function killedInTheMail(act: (instance: Instance) => Promise<void>): Promise<void> {
    // It takes connections and never says a word: the mail is in hand, and cannot be sent.
    let connections = 0;
    const hanging = createServer(() => connections++).listen(0, '127.0.0.1');
    await once(hanging, 'listening');
    const { port } = hanging.address() as AddressInfo;
    const instance = await start({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    await act(instance);
    await eventually(() => expect(connections).toBeGreaterThan(0));
    await instance.kill();
    hanging.close();
  }

  async function sendQuote({ url }: Instance): Promise<string> {
    const created = await call(url, 'POST /api/quotation/quotes', {
      token,
      body: { customerId: randomUUID(), title: 'New roof' },
    });
    const { id } = (created.body as { data: { id: string } }).data;
    const body = { recipientEmail: 'karin@astrom.example' };
    const sent = await call(url, `POST /api/quotation/quotes/${id}/send`, { token, body });
    expect(sent.status).toBe(200);
    return id;
  }

  /** The mail of a dead instance is its own for two minutes: they are over. */
  const leasesEnd = () => admin.query('UPDATE due_work SET next_attempt_at = clock_timestamp()');
  const letters = async () => (await readdir(mail)).filter((name) => name.endsWith('.txt')).toSorted();
  const letter = async (name = '') => readFile(join(mail, name), 'utf8');

  it('to a customer is sent by the next instance, once', async () => {
    let id = '';
    await killedInTheMail(async (instance) => {
      id = await sendQuote(instance);
    });
    const second = await start();
    await leasesEnd();
    await eventually(async () => expect(await letters()).toHaveLength(1));
    await eventually(async () => {
      const answer = await call(second.url, `GET /api/quotation/quotes/${id}/deliveries`, { token });
      expect(answer.body).toMatchObject({ data: [{ state: 'delivered', attempts: 2 }] });
    });
    await leasesEnd();
    await eventually(async () => expect(await dueNow()).toBe(0));
    expect(await letters()).toHaveLength(1);
    await second.kill();
  });

  it("to a seller, of a customer's answer, is sent by the next instance, once", async () => {
    const first = await start();
    const id = await sendQuote(first);
    await eventually(async () => expect(await letters()).toHaveLength(1));
    const [toCustomer] = await letters();
    const [link = ''] = /quote_[\w-]{86}/.exec(await letter(toCustomer)) ?? [];
    // The letter is there before it is noted as sent.
    await eventually(async () => expect(await dueNow()).toBe(0));
    await first.kill();

    await killedInTheMail(async ({ url }) => {
      const answer = await fetch(`${url}/api/quotation/offer/accept`, {
        method: 'POST',
        body: new URLSearchParams({ token: link, name: 'Karin Åström' }),
        redirect: 'manual',
      });
      expect(answer.status).toBe(303);
    });
    expect(await letters()).toEqual([toCustomer]);
    const third = await start();
    const quote = await call(third.url, `GET /api/quotation/quotes/${id}`, { token });
    expect(quote.body).toMatchObject({ data: { status: 'accepted' } });
    await leasesEnd();
    await eventually(async () => expect(await letters()).toHaveLength(2));
    const toSeller = (await letters()).find((name) => name !== toCustomer);
    expect(await letter(toSeller)).toMatch(/^To: eva@tak\.example\n[^]*Karin Åström/);
    await eventually(async () => expect(await dueNow()).toBe(0));
    await leasesEnd();
    await eventually(async () => expect(await dueNow()).toBe(0));
    expect(await letters()).toHaveLength(2);
    await third.kill();
  });

  /** Mail that waits, or is in hand: what was delivered is due in a year. */
  async function dueNow(): Promise<number> {
    const { rows } = await admin.query<{ due: number }>(`
      SELECT count(*)::int AS due FROM due_work
      WHERE kind = 'outbox' AND next_attempt_at < clock_timestamp() + INTERVAL '1 day'`);
    return rows[0]?.due ?? Number.NaN;
  }
});
