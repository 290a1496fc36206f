import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startTemporaryPostgres, workspaceRoot, type Postgres } from '@tenantry/dev-database';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { openTestFeed, type TestFeed } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../test/support/client.ts';
import { migratedDatabase, startInstance, type Instance } from '../test/support/instance.ts';
import { makeMemoryCgroup } from '../test/support/memory-cgroup.ts';

const manifest = await readFile(
  join(workspaceRoot, 'infra/k8s/base/services/quotation-service.yaml'),
  'utf8',
);
const [, mebibytes] = /limits: \{ memory: (\d+)Mi \}/.exec(manifest) ?? [];
const cgroup = makeMemoryCgroup(Number(mebibytes) * 1024 * 1024);
if (!cgroup) console.warn('the memory of a pod is not tested: no control group can be made here');

const quotes = '/api/quotation/quotes';
const floodMs = 20_000;
/** As much as may be in a text of each kind, up to the limit of a quote. */
const descriptions: Readonly<Record<string, readonly [lines: number, description: string]>> = {
  lines: [500, "'Task ' || n"],
  prose: [2, "left((SELECT string_agg(md5(n::text || m), ' ') FROM generate_series(1, 150) m), 4900)"],
  scripts: [2, "repeat('aא☃', 700)"],
  // Each in parts of many fonts.
  letters: [
    2,
    "(SELECT string_agg(chr(19968 + (m * 7919 + n * 131) % 20000), '') FROM generate_series(1, 1700) m)",
  ],
  breaks: [2, "repeat(E'\\n', 4900) || 'x'"],
};

describe.skipIf(!cgroup)('a pod of quotation-service', () => {
  let directory: string;
  let postgres: Postgres;
  let admin: pg.Client;
  let issuer: TestIssuer;
  let feed: TestFeed;
  let instance: Instance;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenantry-memory-'));
    postgres = await startTemporaryPostgres();
    issuer = await createTestIssuer({ server: true });
    feed = await openTestFeed();
    const databaseUrl = await migratedDatabase(postgres, 'quotation-service');
    admin = new pg.Client(new URL(new URL(databaseUrl).pathname, postgres.adminUrl).href);
    await admin.connect();
    const env = {
      DATABASE_URL: databaseUrl,
      AUTH_URL: issuer.issuer,
      AUTH_REVOCATIONS_URL: new URL('/internal/revocations', issuer.issuer).href,
      MAIL_DIRECTORY: directory,
      ...feed.env,
      PORT: String(await freePort()),
    };
    instance = await startInstance('quotation-service', env, undefined, cgroup?.procs);
  });

  afterAll(async () => {
    await instance.kill();
    await admin.end();
    await issuer.close();
    await feed.close();
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
    cgroup?.remove();
  });

  /** A quote of 100 packages, filled as fully as a kind of text allows; and the caller whose organization it is of. */
  async function newQuote(kind: keyof typeof descriptions): Promise<{ id: string; token: string }> {
    const organizationId = randomUUID();
    const token = await issuer.token({ organizationId });
    feed.tell({
      ...{ type: 'organization.created', organizationId, name: 'Tak AB', slug: 'tak' },
      settings: { defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
      createdAt: new Date().toISOString(),
    });
    const body = { customerId: randomUUID(), title: `Quote of ${kind}` };
    const { id } = (await call<{ data: { id: string } }>(instance.url, `POST ${quotes}`, { token, body }))
      .body.data;
    const [lines, description] = descriptions[kind] ?? [];
    await admin.query(
      `WITH packages AS (
         INSERT INTO work_packages (organization_id, quote_id, position, name, description, item_count)
         SELECT organization_id, id, n, 'Package', '', $2 FROM quotes, generate_series(1, 100) n WHERE id = $1
         RETURNING organization_id, quote_id, id)
       INSERT INTO line_items (organization_id, quote_id, work_package_id, position, article_number, description, quantity,
         unit, unit_price, currency, total_price)
       SELECT organization_id, quote_id, id, n, '', ${description}, 1, 'h', 10, 'SEK', 10
       FROM packages, generate_series(1, $2::int) n`,
      [id, lines],
    );
    return { id, token };
  }

  it('stays within the limit of its manifest, whatever several organizations ask of it concurrently [S-172]', async () => {
    const kinds = Object.keys(descriptions);
    const asked = [];
    for (const kind of [...kinds, ...kinds]) asked.push(await newQuote(kind));
    const endsAt = performance.now() + floodMs;
    const statuses = new Map<number, number>();
    const repeat = async (method: string, path: string, token: string): Promise<void> => {
      while (performance.now() < endsAt) {
        const headers = { authorization: `Bearer ${token}` };
        const answer = await fetch(instance.url + path, { method, headers });
        await answer.arrayBuffer();
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    };
    await Promise.all(
      asked.flatMap(({ id, token }) => [
        ...Array.from({ length: 3 }, () => repeat('GET', `${quotes}/${id}`, token)),
        ...Array.from({ length: 2 }, () => repeat('GET', `${quotes}/${id}/pdf`, token)),
        repeat('POST', `${quotes}/${id}/duplicate`, token),
      ]),
    );
    const peak = Math.round((cgroup?.peak() ?? 0) / 1024 / 1024);
    console.info(`${peak} of ${mebibytes} MiB at most; answers:`, Object.fromEntries(statuses));
    expect(statuses.get(200)).toBeGreaterThan(0);
    await expect.poll(async () => (await fetch(`${instance.url}/api/health/ready`)).status).toBe(200);
    expect(() => process.kill(instance.pid, 0)).not.toThrow();
    expect(instance.logs()).not.toContain('"level":"fatal"');
  });
});
