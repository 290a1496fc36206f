import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected, databaseNames, freePort } from '@tenantry/dev-database';
import { catalogProblems } from '@tenantry/sql-check/catalog';
import { canary, canarySecret } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import {
  hasOperatorTools,
  startDocumentedServer,
  type DocumentedServer,
} from '../test/support/documented-server.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// All services on one server, which is backed up while they write and restored in another place, by the commands of
// docs/operations.md. What readers of the feeds make of each way of going back is in restored-database.test.ts.

const names = ['auth-service', 'leads-service', 'users-service', 'quotation-service'] as const;
type Name = (typeof names)[number];

if (!hasOperatorTools) console.info('No psql or no GNU tar here: backup and restore are not tried.');

/** When something was written: before the moment that is restored, while it was determined, or after it. */
type Phase = 'before' | 'meanwhile' | 'after';

interface Written {
  readonly leads: string[];
  readonly quotes: string[];
  readonly members: string[];
  readonly trail: string[];
}

const titleOf = 'a server that is restored to a moment as docs/operations.md says';
describe.skipIf(!hasOperatorTools)(titleOf, () => {
  const key = canarySecret();
  const secret = canarySecret();
  let directory: string;
  let server: DocumentedServer;
  let databaseUrls: Record<Name, string>;
  let ports: Record<Name, number>;
  let services: Record<Name, Instance>;
  let tenants: { readonly ada: Tenant; readonly bo: Tenant };
  let newcomer: Tenant;
  let refreshToken: string;
  let catalogBefore: unknown;
  let before: Written;
  let after: Written;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-backup-'));
    await chmod(directory, 0o755);
    server = await startDocumentedServer(directory);
    await server.archive();
    databaseUrls = await forEachName((name) => migratedDatabase(server.postgres(), name));
    ports = await forEachName(() => freePort());
    services = await startServices();
    const { url } = services['auth-service'];
    tenants = { ada: await newTenant(url, 'Ada'), bo: await newTenant(url, 'Bo') };
    catalogBefore = await catalogs();

    const writer = startWriting(Object.values(tenants));
    await server.backUp();
    const answer = await call<{ session: { refreshToken: string } }>(url, 'POST /api/auth/sign-in/email', {
      body: { email: tenants.ada.email, password: tenants.ada.password },
    });
    refreshToken = answer.body.session.refreshToken;
    before = { leads: writer.acknowledged.before, ...(await write(tenants.ada)) };

    await eventually(() => expect(before.leads.length).toBeGreaterThan(10));
    writer.enter('meanwhile');
    const moment = await now();
    writer.enter('after');
    newcomer = await newTenant(url, 'Cleo');
    after = { leads: writer.acknowledged.after, ...(await write(tenants.ada)) };
    await eventually(() => expect(after.leads.length).toBeGreaterThan(10));
    await writer.stop();

    await Promise.all(names.map((name) => services[name].kill()));
    const { from, to } = await server.restore(moment);
    databaseUrls = await forEachName(async (name) => databaseUrls[name].replace(from, to));
    services = await startServices();
  });

  afterAll(async () => {
    await Promise.all(names.map((name) => services[name].kill()));
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function forEachName<Value>(make: (name: Name) => Promise<Value>): Promise<Record<Name, Value>> {
    const entries: [Name, Value][] = [];
    for (const name of names) entries.push([name, await make(name)]);
    return Object.fromEntries(entries) as Record<Name, Value>;
  }

  async function startServices(): Promise<Record<Name, Instance>> {
    const address = (name: Name) => `http://127.0.0.1:${ports[name]}`;
    const common = {
      AUTH_URL: `${address('auth-service')}/api/auth`,
      AUTH_REVOCATIONS_URL: `${address('auth-service')}/internal/revocations`,
      AUTH_INTERNAL_URL: address('auth-service'),
      LEADS_URL: address('leads-service'),
      INTERNAL_API_KEY: key,
      AUTH_SECRET: secret,
      MAIL_DIRECTORY: join(directory, 'mail'),
      BCRYPT_COST: '4',
    };
    return forEachName((name) =>
      startInstance(name, { ...common, PORT: String(ports[name]), DATABASE_URL: databaseUrls[name] }),
    );
  }

  /** Creates leads for each tenant, one after the other, and keeps the names of those that were answered. */
  function startWriting(writing: readonly Tenant[]) {
    const acknowledged: Record<Phase, string[]> = { before: [], meanwhile: [], after: [] };
    let phase: Phase = 'before';
    let isStopped = false;
    async function writeFor({ token, organizationId }: Tenant): Promise<void> {
      while (!isStopped) {
        const sentIn = phase;
        const name = `${organizationId} ${randomUUID()}`;
        const body = { name, email: 'lead@example.com' };
        const { status } = await call(services['leads-service'].url, 'POST /api/leads', { token, body });
        expect(status).toBe(201);
        acknowledged[sentIn === phase ? phase : 'meanwhile'].push(name);
        await sleep(10);
      }
    }
    const running = Promise.all(writing.map(writeFor));
    return {
      acknowledged,
      enter: (next: Phase) => void (phase = next),
      async stop() {
        isStopped = true;
        await running;
      },
    };
  }

  async function newQuote({ token }: Tenant): Promise<string> {
    const body = { customerId: randomUUID(), title: 'New roof' };
    const request = 'POST /api/quotation/quotes';
    const answer = await call<{ data: { number: string } }>(services['quotation-service'].url, request, {
      token,
      body,
    });
    expect(answer.status).toBe(201);
    return answer.body.data.number;
  }

  async function newMember({ token }: Tenant): Promise<string> {
    const email = `${randomUUID()}@people.example`;
    const body = { email, password: `${canary} ${randomUUID()}`, firstName: 'Grace', lastName: 'Hopper' };
    const { status } = await call(services['users-service'].url, 'POST /api/users', { token, body });
    expect(status).toBe(201);
    return email;
  }

  async function trailOf({ token, organizationId }: Tenant): Promise<string[]> {
    const request = `GET /api/auth/organization/${organizationId}/audit?pageSize=100` as const;
    const answer = await call<{ events: { id: string }[] }>(services['auth-service'].url, request, { token });
    return answer.body.events.map(({ id }) => id);
  }

  /** A quote, a member, and what the audit trail says then. */
  async function write(tenant: Tenant): Promise<Omit<Written, 'leads'>> {
    const quotes = [await newQuote(tenant)];
    const members = [await newMember(tenant)];
    return { quotes, members, trail: await trailOf(tenant) };
  }

  async function leadsOf({ token }: Tenant): Promise<string[]> {
    const found: string[] = [];
    for (let page = 1; ; page += 1) {
      const request = `GET /api/leads?pageSize=100&page=${page}` as const;
      const { body } = await call<{ data: { name: string }[] }>(services['leads-service'].url, request, {
        token,
      });
      if (body.data.length === 0) return found;
      found.push(...body.data.map(({ name }) => name));
    }
  }

  async function membersOf({ token }: Tenant): Promise<string[]> {
    const answer = await call<{ data: { email: string }[] }>(
      services['users-service'].url,
      'GET /api/users',
      { token },
    );
    return answer.body.data.map(({ email }) => email);
  }

  const now = () =>
    connected(server.postgres().adminUrl, async (client) => {
      const { rows } = await client.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
      return rows[0]?.now ?? '';
    });

  /** What the catalog says of each database, asked as its service, and of all roles. */
  async function catalogs() {
    const problems = await forEachName((name) =>
      connected(databaseUrls[name], (client) =>
        catalogProblems(client, { runtimeRole: databaseNames(name).runtime }),
      ),
    );
    const roles = await connected(server.postgres().adminUrl, async (client) => {
      const { rows } = await client.query(
        `SELECT rolname, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolinherit, rolreplication,
           ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = pg_roles.oid) AS member_of
         FROM pg_roles WHERE rolname LIKE 'tenantry%' ORDER BY rolname`,
      );
      return rows as unknown[];
    });
    return { problems, roles };
  }

  it('has every write that was acknowledged before the moment, none from after it, and none of another tenant', async () => {
    const kept = { ada: await leadsOf(tenants.ada), bo: await leadsOf(tenants.bo) };
    const all = new Set([...kept.ada, ...kept.bo]);
    expect(before.leads.filter((name) => !all.has(name))).toEqual([]);
    expect(after.leads.filter((name) => all.has(name))).toEqual([]);
    for (const who of ['ada', 'bo'] as const) {
      expect(kept[who].filter((name) => !name.startsWith(tenants[who].organizationId))).toEqual([]);
    }
  });

  it('keeps row-level security, grants and roles as they were', async () => {
    expect(await catalogs()).toEqual(catalogBefore);
    const unscoped = connected(databaseUrls['leads-service'], (client) => client.query('SELECT FROM leads'));
    await expect(unscoped).rejects.toThrow('no organization is set for this query');
  });

  it('accepts tokens, refresh tokens and passwords from before the moment, and knows no account from after it', async () => {
    const { url } = services['auth-service'];
    expect((await call(services['leads-service'].url, 'GET /api/leads', tenants.ada)).status).toBe(200);
    const refreshed = await call(url, 'POST /api/auth/refresh', { body: { refreshToken } });
    expect(refreshed.status).toBe(200);
    const signInStatus = async ({ email, password }: Tenant) =>
      (await call(url, 'POST /api/auth/sign-in/email', { body: { email, password } })).status;
    expect(await signInStatus(tenants.bo)).toBe(200);
    expect(await signInStatus(newcomer)).toBe(401);
  });

  it('has the audit trail of that moment', async () => {
    const trail = await trailOf(tenants.ada);
    expect(trail).toEqual(expect.arrayContaining(before.trail));
    const lost = after.trail.filter((id) => !before.trail.includes(id));
    expect(lost.length).toBeGreaterThan(0);
    expect(trail.filter((id) => lost.includes(id))).toEqual([]);
  });

  it('continues with the number after the last quote of that moment', async () => {
    expect(await newQuote(tenants.ada)).toBe(after.quotes[0]);
    expect(await newQuote(tenants.ada)).not.toBe(before.quotes[0]);
  });

  it('tells the services by its feeds of members and of sessions that end', async () => {
    const expected = [tenants.ada.email, ...before.members];
    await eventually(async () =>
      expect((await membersOf(tenants.ada)).toSorted()).toEqual(expected.toSorted()),
    );
    const added = await newMember(tenants.ada);
    await eventually(async () => expect(await membersOf(tenants.ada)).toContain(added));

    const { token } = tenants.bo;
    expect((await call(services['auth-service'].url, 'POST /api/auth/sign-out', { token })).status).toBe(200);
    await eventually(async () => {
      expect((await call(services['leads-service'].url, 'GET /api/leads', { token })).status).toBe(401);
    });
  });
});
