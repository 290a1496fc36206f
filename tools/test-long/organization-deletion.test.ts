import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connected, freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canarySecret, mentionsOf } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, signIn, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';
import { mailedToken } from '../test-system/matrix/mailbox.ts';

const names = ['auth-service', 'leads-service', 'users-service', 'quotation-service'] as const;
type Name = (typeof names)[number];
const prefixes = {
  auth: 'auth-service',
  leads: 'leads-service',
  users: 'users-service',
  quotation: 'quotation-service',
} as const;

describe('an organization that is deleted', () => {
  let directory: string;
  let postgres: Postgres;
  let gateway: Instance;
  const key = canarySecret();
  const ports = new Map<Name | 'gateway', number>();
  const databases = new Map<Name, string>();
  const environments = new Map<Name, Readonly<Record<string, string>> & { readonly PORT: string }>();
  const instances = new Map<Name, Instance>();
  const address = (name: Name | 'gateway') => `http://127.0.0.1:${ports.get(name)}`;
  const start = async (name: Name) =>
    instances.set(name, await startInstance(name, environments.get(name) ?? { PORT: '' }));

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-deletion-'));
    postgres = await startTemporaryPostgres();
    for (const name of [...names, 'gateway'] as const) ports.set(name, await freePort());
    const AUTH_SECRET = canarySecret();
    for (const name of names) {
      databases.set(name, await migratedDatabase(postgres, name));
      environments.set(name, {
        PORT: String(ports.get(name)),
        DATABASE_URL: databases.get(name) ?? '',
        AUTH_URL: `${address('gateway')}/api/auth`,
        AUTH_JWKS_URL: `${address('auth-service')}/api/auth/jwks`,
        AUTH_REVOCATIONS_URL: `${address('auth-service')}/internal/revocations`,
        AUTH_INTERNAL_URL: address('auth-service'),
        LEADS_URL: address('leads-service'),
        INTERNAL_API_KEY: key,
        AUTH_SECRET,
        MAIL_DIRECTORY: join(directory, 'mail'),
        FRONTEND_URL: 'https://app.tenantry.example',
        SPOOL_DIRECTORY: directory,
        TRUST_PROXY: '127.0.0.1/32',
        BCRYPT_COST: '4',
      });
    }
    await Promise.all(names.map(start));
    const routes = Object.entries(prefixes).map(([prefix, name]) => `/api/${prefix}=${address(name)}`);
    gateway = await startInstance('gateway', { PORT: String(ports.get('gateway')), ROUTES: routes.join() });
  });

  afterAll(async () => {
    await Promise.all([...instances.values(), gateway].map((instance) => instance.kill()));
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const asAdmin = (name: Name) =>
    new URL(new URL(databases.get(name) ?? '').pathname, postgres.adminUrl).href;
  const sql = (name: Name, text: string, values: readonly unknown[] = []) =>
    connected(asAdmin(name), (client) => client.query(text, [...values]));
  const mentions = async (id: string) =>
    Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await mentionsOf(asAdmin(name), id)] as const)),
    );
  const internal = (request: `${'GET' | 'POST'} /${string}`, body?: object) =>
    call<{ state: string }>(address('auth-service'), request, { token: key, ...(body && { body }) });
  const open = async (link: string) => (await fetch(link)).status;

  /** A token in the context of the tenant's organization. */
  async function enter(tenant: Tenant): Promise<string> {
    const { token } = await signIn(gateway.url, tenant);
    const { organizationId } = tenant;
    const switched = await call<{ session: { token: string } }>(
      gateway.url,
      'POST /api/auth/organization/switch',
      { token, body: { organizationId } },
    );
    return switched.body.session.token;
  }

  /** A tenant with something in every service, and the link to an offer of it. */
  async function populated(name: string): Promise<Tenant & { readonly link: string }> {
    const tenant = await newTenant(gateway.url, name);
    // Who mails quotes has confirmed an address.
    const confirmation = await mailedToken(join(directory, 'mail'), tenant.email, 'verify-email');
    await call(gateway.url, 'POST /api/auth/email/verify', { body: { token: confirmation } });
    const token = await enter(tenant);
    const lead = { name: 'Karin Åström', email: 'karin@astrom.example' };
    expect((await call(gateway.url, 'POST /api/leads', { token, body: lead })).status).toBe(201);
    const quote = await call<{ data: { id: string } }>(gateway.url, 'POST /api/quotation/quotes', {
      token,
      body: { customerId: randomUUID(), customerName: 'Karin Åström', title: 'New roof' },
    });
    const recipientEmail = `karin.${randomUUID()}@astrom.example`;
    await call(gateway.url, `POST /api/quotation/quotes/${quote.body.data.id}/send`, {
      token,
      body: { recipientEmail },
    });
    await eventually(async () => {
      const users = await call<{ meta: { total: number } }>(gateway.url, 'GET /api/users', { token });
      expect(users.body.meta.total).toBe(1);
    });
    return { ...tenant, token, link: await linkTo(recipientEmail) };
  }

  const linkTo = (recipient: string) =>
    eventually(async () => {
      const mail = join(directory, 'mail');
      const texts = (await readdir(mail)).filter((file) => file.endsWith('.txt'));
      const letters = await Promise.all(texts.map((file) => readFile(join(mail, file), 'utf8')));
      const letter = letters.find((text) => text.includes(recipient)) ?? '';
      const [, link = ''] = /(http:\/\/\S+quote_[\w-]{86})/.exec(letter) ?? [];
      expect(link).not.toBe('');
      return link;
    });

  const remove = ({ token, organizationId }: Tenant) =>
    call<{ purgeAt: string }>(gateway.url, `DELETE /api/auth/organization/${organizationId}`, { token });

  it('is disabled immediately, restored in full by the operator, and leaves nothing once it is purged [S-191]', async () => {
    const [ada, bo] = [await populated('Ada'), await populated('Bo')];
    expect([await open(ada.link), await open(bo.link)]).toEqual([200, 200]);
    const others = await mentions(bo.organizationId);

    const { status, body } = await remove(ada);
    expect(status).toBe(200);
    expect(Date.parse(body.purgeAt)).toBeGreaterThan(Date.now() + 29 * 24 * 60 * 60 * 1_000);
    const leads = async () => (await call(gateway.url, 'GET /api/leads', { token: ada.token })).status;
    await eventually(async () => expect(await open(ada.link)).toBe(404));
    await eventually(async () => expect(await leads()).toBe(401));
    expect(await open(bo.link)).toBe(200);

    const path = `/internal/organizations/${ada.organizationId}` as const;
    expect((await internal(`POST ${path}/restore`, {})).status).toBe(200);
    await eventually(async () => expect(await open(ada.link)).toBe(200));
    const token = await enter(ada);
    const listed = await call<{ meta: { total: number } }>(gateway.url, 'GET /api/leads', { token });
    expect(listed.body.meta.total).toBe(1);
    await eventually(async () => {
      const users = await call<{ meta: { total: number } }>(gateway.url, 'GET /api/users', { token });
      expect(users.body.meta.total).toBe(1);
    });

    // A service that is down for the rest of it.
    await instances.get('quotation-service')?.kill();
    expect((await remove({ ...ada, token })).status).toBe(200);
    await sql(
      'auth-service',
      `UPDATE deleted_organizations SET deleted_at = now() - INTERVAL '31 days', purge_at = now() - INTERVAL '1 day'`,
    );
    await instances.get('auth-service')?.terminate();
    await start('auth-service');
    await eventually(async () => expect((await internal(`GET ${path}`)).body.state).toBe('gone'));
    await start('quotation-service');
    for (const name of ['leads-service', 'users-service', 'quotation-service'] as const) {
      await eventually(async () => {
        const { rowCount } = await sql(
          name,
          `UPDATE organization_ends SET purge_at = now() WHERE organization_id = $1 AND purge_at < now() + INTERVAL '1 hour'`,
          [ada.organizationId],
        );
        expect(rowCount).toBe(1);
      });
    }
    // Told for as long as a token lives, and as a reader may lag behind.
    await sql('auth-service', 'DELETE FROM revocations');
    await eventually(async () =>
      expect(await mentions(ada.organizationId)).toEqual({
        'auth-service': { events: 1 },
        'leads-service': {},
        'users-service': {},
        'quotation-service': {},
      }),
    );
    const { rows } = await sql('auth-service', 'SELECT payload FROM events WHERE organization = $1', [
      ada.organizationId,
    ]);
    expect(rows).toEqual([{ payload: { organizationId: ada.organizationId } }]);
    expect(await mentions(bo.organizationId)).toEqual(others);
    expect(await open(bo.link)).toBe(200);
  });
});
