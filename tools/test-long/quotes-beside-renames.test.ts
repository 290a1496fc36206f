import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connected, freePort, startTemporaryPostgres, type Postgres } from '@tenantry/dev-database';
import { canarySecret, onceAvailable, startTcpLink, type TcpLink } from '@tenantry/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, newTenant, type Tenant } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';

// auth-service and quotation-service as processes with the limits that they have by default, and a link between them that can be
// cut.

const quotesUrl = '/api/quotation/quotes';
const [users, organizations, organizationsOfUser, renames, rounds] = [8, 10, 8, 55, 11];
/** In these rounds quotation-service is told nothing, so that its wait for the settings fails. */
const isCut = (round: number): boolean => round % 5 === 0;

let directory: string;
let postgres: Postgres;
let auth: Instance;
let quotation: Instance;
let link: TcpLink;
let ada: Tenant;
/** The tokens of those who rename themselves. */
const tokens: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenantry-renames-'));
  postgres = await startTemporaryPostgres();
  const authPort = await freePort();
  const authDatabase = await migratedDatabase(postgres, 'auth-service');
  const common = {
    AUTH_URL: `http://127.0.0.1:${authPort}/api/auth`,
    INTERNAL_API_KEY: canarySecret(),
    MAIL_DIRECTORY: join(directory, 'mail'),
  };
  auth = await startInstance('auth-service', {
    ...common,
    PORT: String(authPort),
    DATABASE_URL: authDatabase,
    AUTH_SECRET: canarySecret(),
    BCRYPT_COST: '4',
  });
  link = await startTcpLink(authPort);
  quotation = await startInstance('quotation-service', {
    ...common,
    PORT: String(await freePort()),
    DATABASE_URL: await migratedDatabase(postgres, 'quotation-service'),
    AUTH_INTERNAL_URL: `http://127.0.0.1:${link.port}`,
    AUTH_REVOCATIONS_URL: `${auth.url}/internal/revocations`,
    LEADS_URL: 'http://127.0.0.1:9',
  });
  ada = await newTenant(auth.url, 'Ada');
  await shareOrganizations(new URL(authDatabase).pathname);
});

afterAll(async () => {
  await Promise.all([auth, quotation].map((instance) => instance.kill()));
  await link.close();
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Signs up users who found organizations, and makes each a member of most of them, without invitations. */
async function shareOrganizations(pathname: string): Promise<void> {
  const [founders, founded]: [string[], string[]] = [[], []];
  for (let n = 0; n < users; n += 1) {
    const { organizationId, token } = await newTenant(auth.url, `User-${n}`);
    const { body } = await call<{ user: { id: string } }>(auth.url, 'GET /api/auth/session', { token });
    tokens.push(token);
    founders.push(body.user.id);
    founded.push(organizationId);
  }
  while (founded.length < organizations) founded.push((await newTenant(auth.url, 'Other')).organizationId);
  const database = new URL(postgres.adminUrl);
  database.pathname = pathname;
  await connected(database.href, async (client) => {
    await client.query('DELETE FROM members WHERE user_id = ANY($1)', [founders]);
    for (const [n, userId] of founders.entries()) {
      const shared = [...founded, ...founded].slice(n, n + organizationsOfUser);
      await client.query(
        `INSERT INTO members (organization_id, user_id, role, created_at, updated_at)
         SELECT o.id, $2, 'owner', now(), now() FROM unnest($1::uuid[]) AS o (id)`,
        [shared, userId],
      );
    }
  });
}

interface Quoted {
  readonly data: {
    readonly id: string;
    readonly vatRate: number;
    readonly seller: { readonly name: string };
  };
}

/** A request of the other tenant, with headers as `onceAvailable` reads them. */
async function ask(request: `${'GET' | 'POST'} /${string}`, body?: object) {
  const answer = await call<Quoted>(quotation.url, request, { token: ada.token, ...(body && { body }) });
  return { ...answer, headers: Object.fromEntries(answer.headers) };
}
const quoted = async (request: Parameters<typeof ask>[0]) => (await ask(request)).body.data;

it('begin and leave with what their organization has decided, or are refused until it has arrived [S-74]', async () => {
  let renamed = 0;
  const rename = async () => {
    const name = `Renamed ${(renamed += 1)}`;
    const token = tokens[renamed % users] ?? '';
    return (await call(auth.url, 'PATCH /api/auth/user', { token, body: { name } })).status;
  };
  const create = () => ask(`POST ${quotesUrl}`, { customerId: randomUUID(), title: 'New roof' });
  let draft = (await onceAvailable(create)).body.data.id;
  for (let round = 1; round <= rounds; round += 1) {
    const send = () =>
      ask(`POST ${quotesUrl}/${draft}/send`, { recipientEmail: `karin-${round}@astrom.example` });
    if (isCut(round)) link.freezeResponses();
    const change = { name: `Ada in round ${round}`, settings: { vatRate: round } };
    const changed = call(auth.url, `PATCH /api/auth/organization/${ada.organizationId}`, {
      token: ada.token,
      body: change,
    });
    const statuses = await Promise.all([
      ...Array.from({ length: renames / rounds }, rename),
      changed.then(({ status }) => status),
    ]);
    expect(new Set(statuses)).toEqual(new Set([200]));
    if (isCut(round)) {
      for (const { status, headers } of await Promise.all([create(), send()]))
        expect([round, status, headers['retry-after']]).toEqual([round, 503, '1']);
      link.heal();
    }
    const [created, sent] = await Promise.all([onceAvailable(create), onceAvailable(send)]);
    expect([round, created.status, sent.status]).toEqual([round, 201, 200]);
    const { id } = created.body.data;
    expect((await quoted(`GET ${quotesUrl}/${id}`)).vatRate).toBe(round);
    for (const move of ['accept', 'contract']) await ask(`POST ${quotesUrl}/${draft}/${move}`);
    expect((await quoted(`GET ${quotesUrl}/${draft}/contract`)).seller.name).toBe(change.name);
    draft = id;
  }
  expect(renamed).toBe(renames);
});
