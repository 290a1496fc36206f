import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connected, freePort } from '@tenantry/dev-database';
import {
  canarySecret,
  findPgBouncer,
  patience,
  type ReplicatedPostgres,
  startPgBouncer,
  startReplicatedPostgres,
} from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// Lists that a real replica answers, asked for through the gateway. What the replica does to a pool is in
// libs/tenancy/test/replica.test.ts.

const origin = 'http://localhost:5173';
const program = findPgBouncer();

describe('a service whose lists a replica answers', () => {
  let directory: string;
  let postgres: ReplicatedPostgres;
  let gateway: string;
  let leads: Instance;
  let metricsPort: number;
  let leadsEnvironment: Record<string, string> & { PORT: string };
  let ada: Tenant;
  let bo: Tenant;
  const others: Instance[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-replica-'));
    postgres = await startReplicatedPostgres();
    const [authPort, leadsPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
    metricsPort = await freePort();
    gateway = `http://127.0.0.1:${gatewayPort}`;
    const address = `http://127.0.0.1:${authPort}`;
    const AUTH_URL = `${gateway}/api/auth`;
    const INTERNAL_API_KEY = canarySecret();
    const leadsUrl = await migratedDatabase(postgres.primary, 'leads-service');
    others.push(
      await startInstance('auth-service', {
        AUTH_URL,
        PORT: String(authPort),
        DATABASE_URL: await migratedDatabase(postgres.primary, 'auth-service'),
        AUTH_SECRET: canarySecret(),
        INTERNAL_API_KEY,
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
      }),
    );
    leadsEnvironment = {
      AUTH_URL,
      AUTH_JWKS_URL: `${address}/api/auth/jwks`,
      AUTH_INTERNAL_URL: address,
      AUTH_REVOCATIONS_URL: `${address}/internal/revocations`,
      INTERNAL_API_KEY,
      PORT: String(leadsPort),
      METRICS_PORT: String(metricsPort),
      DATABASE_URL: leadsUrl,
      DATABASE_REPLICA_URL: postgres.replicaUrlOf(leadsUrl),
    };
    leads = await startInstance('leads-service', leadsEnvironment);
    const ROUTES = `/api/auth=${address},/api/leads=http://127.0.0.1:${leadsPort}`;
    others.push(
      await startInstance('gateway', { ROUTES, PORT: String(gatewayPort), RATE_LIMIT_PER_MINUTE: '100000' }),
    );
    [ada, bo] = [await newTenant(gateway, 'Ada'), await newTenant(gateway, 'Bo')];
  });

  afterAll(async () => {
    await Promise.all([leads, ...others].map((instance) => instance.kill()));
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
    const response = await fetch(`${gateway}${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience()),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  }
  const as = ({ token }: Tenant) => ({ authorization: `Bearer ${token}` });

  /** Creates a lead, and gives its name and the token of its answer. */
  async function create(tenant: Tenant) {
    const name = randomUUID();
    const answer = await ask('POST', '/api/leads', as(tenant), { name, email: 'lead@example.com' });
    expect(answer.status, answer.text).toBe(201);
    return { name, token: answer.headers.get('consistency-token') ?? '' };
  }

  async function names(tenant: Tenant, token?: string): Promise<string[]> {
    const headers = { ...as(tenant), ...(token !== undefined && { 'consistency-token': token }) };
    const { status, text } = await ask('GET', '/api/leads?pageSize=100', headers);
    expect(status, text).toBe(200);
    return (JSON.parse(text) as { data: { name: string }[] }).data.map(({ name }) => name);
  }

  /** How many reads the replica has answered. */
  async function answered(): Promise<number> {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const [, value] = /^tenantry_replica_reads_total\{outcome="answered"\} (\d+)$/m.exec(text) ?? [];
    if (value === undefined) throw new Error('reads of the replica are not measured');
    return Number(value);
  }

  /** The replica answers the next list. */
  const inUse = () =>
    eventually(async () => {
      const before = await answered();
      await names(ada);
      expect(await answered()).toBe(before + 1);
    });

  const onReplica = (text: string) => connected(postgres.replica.adminUrl, (client) => client.query(text));

  it('gives a token with what was written, which a page of another origin may read and send', async () => {
    const headers = { ...as(ada), origin };
    const lead = { name: 'Ada', email: 'lead@example.com' };
    const written = await ask('POST', '/api/leads', headers, lead);
    expect(written.headers.get('consistency-token')).toMatch(/^[\w-]{11}\.[0-9a-f]+$/);
    expect(written.headers.get('access-control-expose-headers')).toContain('Consistency-Token');
    const preflight = await ask('OPTIONS', '/api/leads', {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'consistency-token',
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Consistency-Token');
    const read = await ask('GET', '/api/leads', headers);
    expect(read.headers.get('consistency-token')).toBeNull();
    const refused = await ask('POST', '/api/leads', headers, {});
    expect([refused.status, refused.headers.get('consistency-token')]).toEqual([400, null]);
  });

  it('shows a writer every write immediately, while others see it once the replica has it', async () => {
    await inUse();
    await onReplica('SELECT pg_wal_replay_pause()');
    try {
      // What was replayed is recent for another second.
      await sleep(250);
      const { name, token } = await create(ada);
      expect(await names(ada, token)).toContain(name);
      expect(await names(bo, token)).not.toContain(name);
      await eventually(async () => expect(await names(ada)).toContain(name));
      const before = await answered();
      await names(ada);
      expect(await answered()).toBe(before);
    } finally {
      await onReplica('SELECT pg_wal_replay_resume()');
    }
    await inUse();
  });

  it('fails no request while the replica is killed and started again under load, and shows each its own [S-110]', async () => {
    await inUse();
    const until = { done: false };
    let lists = 0;
    const writers = [ada, bo, ada, bo].map(async (tenant) => {
      const own: string[] = [];
      for (let latest = ''; !until.done; lists += 1) {
        if (own.length < 40) {
          const { name, token } = await create(tenant);
          own.push(name);
          latest = token;
        }
        expect(await names(tenant, latest)).toEqual(expect.arrayContaining(own));
      }
      return own;
    });
    /** More lists than are under way come to their end. */
    const goOn = async () => {
      const before = lists;
      await eventually(() => expect(lists).toBeGreaterThan(before + 10));
    };
    const earlier = leads.logs().length;
    const logged = () => leads.logs().slice(earlier);
    const disturb = async () => {
      await goOn();
      await postgres.killReplica();
      await eventually(() => expect(logged()).toContain('the replica is passed over'));
      await goOn();
      const before = await answered();
      await postgres.startReplica();
      await eventually(async () => expect(await answered()).toBeGreaterThan(before));
    };
    const disturbed = disturb().finally(() => (until.done = true));
    const [ofAda, ofBo] = await Promise.all([...writers, disturbed]);
    expect((await names(ada)).filter((name) => ofBo!.includes(name))).toEqual([]);
    expect((await names(bo)).filter((name) => ofAda!.includes(name))).toEqual([]);
    expect(logged()).toContain('the replica is read again');
    expect(logged()).not.toMatch(/"level":"(error|fatal)"/);
  });

  it.skipIf(!program)(
    'reads it through a pooler that fits, and does not start behind one that does not',
    async () => {
      const { DATABASE_REPLICA_URL: direct } = leadsEnvironment;
      const pooler = await startPgBouncer({
        program: program!,
        directUrls: [direct!],
        settings: {
          default_pool_size: 30,
          // Older ones lose prepared statements in transaction mode.
          ...(program!.preparesStatements ? { max_prepared_statements: 100 } : { pool_mode: 'session' }),
        },
      });
      onTestFinished(() => pooler.stop());
      await leads.kill();
      const pooled = { DATABASE_REPLICA_URL: pooler.urlOf(direct!) };
      const refused = startInstance('leads-service', { ...leadsEnvironment, ...pooled });
      await expect(refused).rejects.toThrow('DATABASE_REPLICA_URL leads to a connection pooler that');
      leads = await startInstance('leads-service', {
        ...leadsEnvironment,
        ...pooled,
        TENANT_BINDING: 'transaction',
      });
      await inUse();
      const { name, token } = await create(bo);
      expect(await names(bo, token)).toContain(name);
      expect(await names(ada, token)).not.toContain(name);
      await inUse();
    },
  );

  it('starts and serves while the replica is away', async () => {
    await leads.kill();
    await postgres.killReplica();
    leads = await startInstance('leads-service', leadsEnvironment);
    const { name, token } = await create(ada);
    expect(await names(ada)).toContain(name);
    expect(token).toMatch(/\./);
    await postgres.startReplica();
    await inUse();
    expect(await leads.terminate()).toBe(0);
  });
});
