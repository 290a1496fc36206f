import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  applyMigrations,
  databaseService,
  freePort,
  provisionDatabase,
  startTemporaryPostgres,
  type Postgres,
} from '@tenantry/dev-database';
import { canary, canarySecret, patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';

// The way of a browser from its page through the gateway to a business service, every part a process of its own.

const page = 'http://localhost:5173';

describe('a browser before the gateway', () => {
  let directory: string;
  let postgres: Postgres;
  let instances: Instance[] = [];
  let gateway: string;
  let admin: pg.Pool;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-browser-'));
    postgres = await startTemporaryPostgres();
    const [authDatabase, leadsDatabase] = [await database('auth-service'), await database('leads-service')];
    const address = new URL(postgres.adminUrl);
    address.pathname = new URL(authDatabase).pathname;
    admin = new pg.Pool({ connectionString: address.href, max: 1 });
    // A connection that is still closing is cut when the server stops.
    admin.on('error', () => undefined);
    const ports = [await freePort(), await freePort(), await freePort()] as const;
    const [own, auth, leads] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string, string];
    gateway = own;
    const behind = {
      TRUST_PROXY: '127.0.0.1/32',
      AUTH_URL: `${own}/api/auth`,
      INTERNAL_API_KEY: canarySecret(),
    };
    instances = await Promise.all([
      startInstance('auth-service', {
        ...behind,
        PORT: String(ports[1]),
        DATABASE_URL: authDatabase,
        AUTH_SECRET: canarySecret(),
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
      }),
      startInstance('leads-service', {
        ...behind,
        PORT: String(ports[2]),
        DATABASE_URL: leadsDatabase,
        AUTH_JWKS_URL: `${auth}/api/auth/jwks`,
        AUTH_INTERNAL_URL: auth,
        AUTH_REVOCATIONS_URL: `${auth}/internal/revocations`,
      }),
    ]);
    // It is ready when the services are.
    instances.push(
      await startInstance('gateway', {
        PORT: String(ports[0]),
        ROUTES: `/api/auth=${auth},/api/leads=${leads}`,
        TRUST_PROXY: '127.0.0.1/32',
      }),
    );
  });

  afterAll(async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await admin.end();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function database(service: string): Promise<string> {
    const { ownerUrl, runtimeUrl } = await provisionDatabase({ adminUrl: postgres.adminUrl, service });
    await applyMigrations({ projectRoot: databaseService(service).projectRoot, url: ownerUrl });
    return runtimeUrl;
  }

  /** A browser on one address, with a jar of cookies. */
  function openBrowser(address: string, jar = new Map<string, string>()) {
    async function send(request: string, { body, headers = {} }: { body?: object; headers?: object } = {}) {
      const [method = '', path = ''] = request.split(' ');
      const cookie = [...jar]
        .filter(([name]) => name !== '__Secure-refresh' || path.startsWith('/api/auth'))
        .map(([name, value]) => `${name}=${value}`)
        .join('; ');
      const response = await fetch(gateway + path, {
        method,
        headers: {
          origin: page,
          'user-agent': 'Firefox/140',
          'x-forwarded-for': address,
          ...(cookie === '' ? {} : { cookie }),
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(patience()),
      });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split('; ')[0] ?? '').split('=');
        if (line.includes('Max-Age=0;')) jar.delete(name);
        else jar.set(name, value);
      }
      const text = await response.text();
      const { status } = response;
      return { status, headers: response.headers, body: (text === '' ? {} : JSON.parse(text)) as AnswerBody };
    }
    const csrf = async () => ({ 'x-csrf-token': (await send('GET /api/auth/csrf')).body.token });
    return { jar, send, csrf };
  }

  async function signedUp(address: string) {
    const browser = openBrowser(address);
    const body = {
      email: `${randomUUID()}@example.com`,
      password: `${canary} ${randomUUID()}`,
      name: 'Ada',
    };
    const answer = await browser.send('POST /api/auth/sign-up/email', { body });
    expect(answer.status).toBe(201);
    return { ...browser, answer, sessionId: answer.body.session.id };
  }

  const lead = () => ({ name: 'Charles Babbage', email: `${randomUUID()}@example.com` });
  const auditOf = async (sessionId: string) => {
    const { rows } = await admin.query<{ action: string }>(
      'SELECT action FROM audit_events WHERE target_id = $1',
      [sessionId],
    );
    return rows.map(({ action }) => action);
  };

  it('signs in, works with leads, renews its session and signs out, all by cookies', async () => {
    const { send, csrf, jar, answer } = await signedUp('203.0.113.7');
    expect([...jar.keys()]).toEqual(['__Host-access', '__Secure-refresh', '__Secure-device']);
    expect(answer.body.session.refreshToken).toBeUndefined();
    expect(answer.headers.get('access-control-allow-origin')).toBe(page);
    expect(
      (
        await admin.query(`SELECT host(ip_address) AS ip FROM sessions WHERE id = $1`, [
          answer.body.session.id,
        ])
      ).rows,
    ).toEqual([{ ip: '203.0.113.7' }]);

    const headers = await csrf();
    expect((await send('POST /api/leads', { body: lead(), headers })).status).toBe(201);
    const listed = await send('GET /api/leads');
    expect(listed.status).toBe(200);
    expect(listed.body.data).toHaveLength(1);
    expect(listed.headers.get('access-control-allow-origin')).toBe(page);

    const before = jar.get('__Secure-refresh');
    expect((await send('POST /api/auth/refresh', { headers })).status).toBe(200);
    expect(jar.get('__Secure-refresh')).not.toBe(before);
    expect((await send('GET /api/leads')).status).toBe(200);

    expect((await send('POST /api/auth/sign-out', { headers })).status).toBe(200);
    expect([...jar.keys()]).toEqual(['__Secure-device']);
    expect((await send('GET /api/leads')).status).toBe(401);
  });

  it('changes nothing without its CSRF token or from another page, in any service [S-126]', async () => {
    const { send, csrf } = await signedUp('203.0.113.7');
    const headers = await csrf();
    const requests = ['POST /api/leads', `DELETE /api/leads/${randomUUID()}`, 'POST /api/auth/sign-out'];
    for (const request of requests) {
      const body = request === 'POST /api/leads' ? { body: lead() } : {};
      const bare = await send(request, body);
      expect({ request, status: bare.status }).toEqual({ request, status: 403 });
      expect(bare.body.code ?? bare.body.error.code).toBe('CSRF_FAILED');
      const foreign = await send(request, {
        ...body,
        headers: { ...headers, origin: 'https://evil.example' },
      });
      expect({ request, status: foreign.status }).toEqual({ request, status: 403 });
      expect(foreign.body.code ?? foreign.body.error.code).toBe('ORIGIN_NOT_ALLOWED');
    }
    expect((await send('GET /api/leads')).body.data).toEqual([]);
  });

  it('loses its session when another device uses its cookie, in a business service too [S-69]', async () => {
    const { send, jar, sessionId } = await signedUp('203.0.113.7');
    const access = jar.get('__Host-access') ?? '';
    const thief = openBrowser('203.0.113.7', new Map([['__Host-access', access]]));
    expect((await thief.send('GET /api/leads')).status).toBe(401);
    await eventually(async () => expect(await auditOf(sessionId)).toContain('session.device-refused'));
    await eventually(async () => expect((await send('GET /api/leads')).status).toBe(401));
  });

  it('is refused at another address with a code of its own, and continues at its own [S-69]', async () => {
    const { send, jar, sessionId } = await signedUp('203.0.113.7');
    const elsewhere = openBrowser('198.51.100.9', new Map(jar));
    const refused = await elsewhere.send('GET /api/leads');
    expect([refused.status, refused.body.error.code]).toEqual([401, 'SESSION_ADDRESS_CHANGED']);
    await eventually(async () => expect(await auditOf(sessionId)).toContain('session.address-refused'));
    expect((await send('GET /api/leads')).status).toBe(200);
  });
});

interface AnswerBody {
  readonly token: string;
  readonly code: string | undefined;
  readonly error: { readonly code: string };
  readonly data: readonly unknown[];
  readonly session: { readonly id: string; readonly refreshToken?: string };
}
