import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startDatabaseServer, type DatabaseServer } from './support/database-server.ts';
import { createAsk, signUp, type Account } from './support/client.ts';
import { deploy, type Deployment } from './support/deployment.ts';

const rows = 100_000;
const file = [
  'name,email',
  ...Array.from({ length: rows }, (_, n) => `Somebody ${n},somebody-${n}@people.example`),
].join('\n');
const services = ['leads-service', 'quotation-service'] as const;

interface PastImport {
  readonly status: string;
  readonly rows: number;
  readonly imported: number;
}

let postgres: DatabaseServer;
let deployment: Deployment;
let account: Account;
beforeAll(async () => {
  postgres = await startDatabaseServer();
  const quota = { QUOTA_ROWS_UNCONFIRMED: '1000000', QUOTA_BYTES_UNCONFIRMED: '1000000000' };
  deployment = await deploy({
    ...{ postgres, replicas: { 'auth-service': 1, 'leads-service': 1, 'quotation-service': 1 } },
    settings: Object.fromEntries(services.map((service) => [service, quota])),
  });
  account = await signUp(createAsk(() => deployment.url));
});
afterAll(async () => {
  await deployment.stop();
  await postgres.stop();
});

const ask = createAsk(() => deployment.url);
async function read(path: string) {
  const { text } = await ask({ method: 'GET', path, token: account.token });
  return JSON.parse(text) as { data: readonly PastImport[]; meta: { total: number } };
}

describe.each([
  { many: 'leads', service: services[0], url: '/api/leads', table: 'lead_imports' },
  { many: 'customers', service: services[1], url: '/api/quotation/customers', table: 'customer_imports' },
])('an import of $many', ({ service, url, table }) => {
  const importFile = (key: string) =>
    fetch(`${deployment.url}${url}/import?mode=rows&duplicates=skip&file=people.csv`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.token}`,
        'content-type': 'text/csv',
        'idempotency-key': key,
      },
      body: file,
    });
  const imports = async () => (await read(`${url}/imports`)).data;
  const total = async () => (await read(url)).meta.total;

  /** What the service would say once an import has been silent for as long as none is. */
  async function waitForSilence(): Promise<void> {
    const { DATABASE_URL } = deployment.environment(service);
    const sql = new pg.Client({ connectionString: DATABASE_URL });
    await sql.connect();
    const [, claims = ''] = account.token.split('.');
    const { organizationId } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
      organizationId: string;
    };
    await sql.query(`SELECT set_config('app.organization_id', $1, false)`, [organizationId]);
    await sql.query(`UPDATE ${table} SET seen_at = seen_at - interval '1 hour' WHERE status = 'running'`);
    await sql.end();
  }

  it('whose service is killed in the middle has imported nothing, says so, and imports all when it is sent again [S-341]', async () => {
    const [importer] = deployment.of(service);
    let answer: string | undefined;
    const lost = importFile('the-file').then(
      async (response) => {
        answer = await response.text();
        return response.status;
      },
      () => 0,
    );
    await vi.waitFor(async () => {
      const [running] = answer === undefined ? await imports() : [];
      if (answer === undefined && !running?.rows) throw new Error('it has read no row yet');
    }, patience());
    expect(answer).toBeUndefined();
    await importer?.kill();
    expect([0, 502]).toContain(await lost);
    await importer?.start();

    const [killed, ...others] = await imports();
    expect(others).toEqual([]);
    expect(killed?.rows).toBeGreaterThan(0);
    expect(killed?.rows).toBeLessThan(rows);
    expect(killed).toMatchObject({ status: 'running', imported: 0 });
    expect(await total()).toBe(0);
    await waitForSilence();
    expect((await imports())[0]).toMatchObject({ status: 'interrupted', imported: 0 });

    const again = await importFile('the-file');
    const { data } = (await again.json()) as { data: Readonly<Record<string, unknown>> };
    expect(data).toMatchObject({ rows, imported: rows, rejected: 0, skipped: 0 });
    expect(await total()).toBe(rows);
    expect((await imports()).map(({ status }) => status)).toEqual(['done', 'interrupted']);

    // The answer was given before: the same file under the same key makes nothing twice.
    const replayed = (await (await importFile('the-file')).json()) as { data: object };
    expect(replayed.data).toEqual(data);
    expect(await total()).toBe(rows);
  });
});
