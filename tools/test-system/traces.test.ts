import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import {
  canarySecret,
  startTestRedis,
  startTraceCollector,
  type CollectedSpan,
  type TestRedis,
  type TraceCollector,
} from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretsIn } from '../src/test/log-secrets.ts';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// A gateway and two services, each a process of its own, that export to one collector.

describe('a trace', () => {
  let directory: string;
  let postgres: Postgres;
  let redis: TestRedis | undefined;
  let collector: TraceCollector;
  let instances: Instance[] = [];
  let gateway: Instance;
  let leads: Instance;
  let ada: Tenant;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-traces-'));
    postgres = await startTemporaryPostgres();
    redis = await startTestRedis();
    collector = await startTraceCollector();
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const [own, auth, leadsUrl] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string, string];
    const common = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      TRUST_PROXY: '127.0.0.1/32',
      AUTH_URL: `${own}/api/auth`,
      INTERNAL_API_KEY: canarySecret(),
    };
    instances = await Promise.all([
      startInstance('auth-service', {
        ...common,
        // Background work begins its own traces.
        TRACE_RATIO: '1',
        PORT: String(ports[1]),
        DATABASE_URL: await migratedDatabase(postgres, 'auth-service'),
        AUTH_SECRET: canarySecret(),
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
      }),
      startInstance('leads-service', {
        ...common,
        // The gateway decides for requests, whatever the service would.
        TRACE_RATIO: '0',
        PORT: String(ports[2]),
        DATABASE_URL: await migratedDatabase(postgres, 'leads-service'),
        AUTH_JWKS_URL: `${auth}/api/auth/jwks`,
        AUTH_INTERNAL_URL: auth,
        AUTH_REVOCATIONS_URL: `${auth}/internal/revocations`,
      }),
    ]);
    gateway = await startInstance('gateway', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      TRACE_RATIO: '1',
      PORT: String(ports[0]),
      ROUTES: `/api/auth=${auth},/api/leads=${leadsUrl}`,
      ...(redis && { REDIS_URL: redis.url }),
    });
    instances.push(gateway);
    leads = instances[1]!;
    ada = await newTenant(gateway.url, 'Ada');
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await collector.close();
    await redis?.stop();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** The trace of a request, once spans of these names have arrived: how each came about, outermost first. */
  const traceOf = (requestId: string, names: readonly string[]) =>
    eventually(() => {
      const request = collector.spans.find(
        ({ attributes }) => attributes['tenantry.request_id'] === requestId,
      );
      const spans = collector.spans.filter(({ traceId }) => traceId === request?.traceId);
      expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
      const wayTo = (span: CollectedSpan): string[] => {
        const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
        return [...(parent ? wayTo(parent) : []), `${span.service}: ${span.name}`];
      };
      return { traceId: request?.traceId, ways: spans.map(wayTo) };
    });

  it('of one request spans gateway, service and database, and is found by the request id', async () => {
    const created = await call<{ data: { id: string } }>(gateway.url, 'POST /api/leads', {
      token: ada.token,
      body: { name: 'Grace Hopper', email: 'grace@navy.example' },
    });
    const requestId = randomUUID();
    const answer = await fetch(`${gateway.url}/api/leads/${created.body.data.id}`, {
      headers: { authorization: `Bearer ${ada.token}`, 'x-request-id': requestId },
    });
    expect(answer.status).toBe(200);

    const { traceId, ways } = await traceOf(requestId, ['GET /api/leads/*', 'lead-by-id']);
    expect(ways).toContainEqual([
      'gateway: GET /api/leads/*',
      'gateway: exchange',
      'leads-service: GET /api/leads/:id',
      'leads-service: lead-by-id',
    ]);
    if (redis) expect(ways).toContainEqual(['gateway: GET /api/leads/*', 'gateway: count requests-60']);
    for (const { logs } of [gateway, leads]) {
      const lines = logs().split('\n');
      const line = lines.find((one) => one.includes(requestId) && one.includes('"msg":"request"'));
      expect(line).toContain(`"traceId":"${traceId}"`);
    }
  });

  it('of background work begins in the service that does it', async () => {
    const { token } = await newTenant(gateway.url, 'Grace');
    // What the feed of revocations has news of.
    await call(gateway.url, 'POST /api/auth/sign-out', { token });
    await eventually(() => {
      const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined);
      const ways = roots.map(({ service, name }) => `${service}: ${name}`);
      const work = ['mail', 'change signing keys', 'read news'].map((name) => `auth-service: ${name}`);
      expect(ways).toEqual(expect.arrayContaining(work));
    });
  });

  it('shows no secret, name, address or id of those whose requests it is about [S-176]', async () => {
    await call(gateway.url, 'GET /api/leads?search=navy', { token: ada.token });
    const names = () => collector.spans.map(({ name }) => name);
    await eventually(() => {
      expect(names()).toEqual(expect.arrayContaining(['send mail', 'GET /api/leads']));
    });
    const text = collector.text();
    expect(secretsIn(text)).toEqual([]);
    const { email, organizationId, token, password } = ada;
    for (const value of [email, organizationId, token, password, 'Grace', 'navy.example', 'search=']) {
      expect(text).not.toContain(value);
    }
  });
});
