import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, withDatabase, type Postgres } from '@tenantry/dev-database';
import { canarySecret, patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { eventually } from '../test/support/tenantry.ts';
import {
  agreeAt,
  codeVerifier,
  startIdentityProvider,
  type IdentityProvider,
} from './matrix/identity-provider.ts';

// auth-service, leads-service and an identity provider, each a server of its own.

const redirectTo = 'com.example.app:/signed-in';
const domain = 'acme.example';

describe('single sign-on of an organization', () => {
  let directory: string;
  let postgres: Postgres;
  let idp: IdentityProvider;
  let auth: Instance;
  let leads: Instance;
  let ada: Tenant;
  let connection: { id: string; redirectUri: string };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-sso-'));
    postgres = await startTemporaryPostgres();
    idp = await startIdentityProvider();
    const [authPort, leadsPort] = [await freePort(), await freePort()];
    const authUrl = `http://127.0.0.1:${authPort}`;
    const common = { AUTH_URL: `${authUrl}/api/auth`, INTERNAL_API_KEY: canarySecret() };
    const DATABASE_URL = await migratedDatabase(postgres, 'auth-service');
    [auth, leads] = await Promise.all([
      startInstance('auth-service', {
        ...common,
        PORT: String(authPort),
        DATABASE_URL,
        AUTH_SECRET: canarySecret(),
        MAIL_DIRECTORY: join(directory, 'mail'),
        BCRYPT_COST: '4',
        REDIRECT_URIS: redirectTo,
        SSO_LOOPBACK_ORIGINS: idp.issuer,
      }),
      startInstance('leads-service', {
        ...common,
        PORT: String(leadsPort),
        DATABASE_URL: await migratedDatabase(postgres, 'leads-service'),
        AUTH_JWKS_URL: `${authUrl}/api/auth/jwks`,
        AUTH_INTERNAL_URL: authUrl,
        AUTH_REVOCATIONS_URL: `${authUrl}/internal/revocations`,
      }),
    ]);
    ada = await newTenant(auth.url, 'Ada');
    await verifyDomain(withDatabase(postgres.adminUrl, new URL(DATABASE_URL).pathname.slice(1)));
    const begun = await call<{ connection: typeof connection }>(auth.url, `POST ${path()}`, {
      token: ada.token,
      body: { kind: 'oidc', name: 'IdP' },
    });
    ({ connection } = begun.body);
    await change({ issuer: idp.issuer, clientId: 'ours', clientSecret: canarySecret(), enabled: true });
  });

  afterAll(async () => {
    await Promise.all([auth, leads].map((instance) => instance.kill()));
    await postgres.stop();
    idp.close();
    await rm(directory, { recursive: true, force: true });
  });

  const path = () => `/api/auth/organization/${ada.organizationId}/connections` as const;

  async function change(changes: object): Promise<void> {
    const body = { ...changes, password: ada.password };
    const { token } = ada;
    const changed = await call(auth.url, `PATCH ${path()}/${connection.id}`, { token, body });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  }

  /** Past the DNS. */
  async function verifyDomain(connectionString: string): Promise<void> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(
      `INSERT INTO domains (organization_id, id, domain, challenge, joins, verified_at, created_by, created_at, updated_at)
       VALUES ($1, gen_random_uuid(), $2, repeat('x', 43), 'nobody', now(), $1, now(), now())`,
      [ada.organizationId, domain],
    );
    await client.query(
      `INSERT INTO domain_keys (domain, organization, read_at, due_at) VALUES ($2, $1, now(), now() + INTERVAL '1 day')`,
      [ada.organizationId, domain],
    );
    await client.end();
  }

  async function signIn(email: string): Promise<string> {
    const body = { email, redirectTo, codeChallenge: hash('sha256', codeVerifier, 'base64url') };
    const begun = await call<{ url: string }>(auth.url, 'POST /api/auth/sign-in/sso', { body });
    expect(begun.status, JSON.stringify(begun.body)).toBe(200);
    const back = new URL(connection.redirectUri);
    back.search = agreeAt(begun.body.url, email).toString();
    const { headers } = await fetch(back, { redirect: 'manual' });
    const ticket = new URLSearchParams(headers.get('location')?.split('#')[1]).get('ticket');
    const redeemed = await call<{ session: { token: string } }>(
      auth.url,
      'POST /api/auth/sign-in/sso/ticket',
      {
        body: { ticket, codeVerifier },
      },
    );
    expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(200);
    return redeemed.body.session.token;
  }

  it('works in every service, and ends there when the connection is turned off [S-210]', async () => {
    const token = await signIn(`grace@${domain}`);
    const asGrace = () => call(leads.url, 'GET /api/leads', { token });
    expect((await asGrace()).status).toBe(200);
    await change({ enabled: false });
    await eventually(async () => expect((await asGrace()).status).toBe(401), patience());
    expect((await call(leads.url, 'GET /api/leads', { token: ada.token })).status).toBe(200);
  });
});
