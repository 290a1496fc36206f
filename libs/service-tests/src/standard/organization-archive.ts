import { randomUUID } from 'node:crypto';
import { ArchiveImport, OpenedArchive } from '@tenantry/service/archive';
import type { BusinessService } from '@tenantry/service/business';
import { lastMigration } from '@tenantry/tenancy';
import { canary } from '@tenantry/test-kit';
import type { TProperties } from 'typebox';
import { expect, it, onTestFinished } from 'vitest';
import { dataOf, readArchive, sumsOf, withFileOf, type ReadArchive } from '../archives.ts';
import type { TestFeed } from '../feed.ts';
import { startTestService, type TestService } from '../start.ts';
import { tablesOf } from './tables.ts';

interface Parts {
  readonly running: TestService;
  readonly feed: TestFeed;
  /** Makes an organization with rows in every table. */
  readonly populated: () => Promise<string>;
  readonly env: Readonly<Record<string, string>>;
}

/** Everything of an organization leaves as it is, nothing else does, and another installation takes it in. */
export function organizationArchiveTests<Settings extends TProperties>(
  service: BusinessService<Settings>,
  parts: () => Parts,
): void {
  const { exported = [], kept = {} } = service.archive?.tables ?? {};
  const imported = exported.filter(({ notImported }) => notImported === undefined).map(({ name }) => name);
  const url = `${service.prefix}/export/organization`;

  async function ask(running: TestService, claims: Readonly<Record<string, unknown>>, query = '') {
    const token = await running.issuer.token({ role: 'owner', ...claims });
    return running.app.inject({ url: `${url}${query}`, headers: { authorization: `Bearer ${token}` } });
  }

  async function archiveOf(running: TestService, organizationId: string) {
    const { rawPayload, statusCode } = await ask(running, { organizationId });
    expect(statusCode).toBe(200);
    return { bytes: rawPayload, ...(await readArchive(rawPayload)) };
  }

  /** Its trail has an entry more for each export only in auth-service. */
  it('is exported whole, and is the same after another installation has imported it [S-291]', async () => {
    const { running, feed, populated, env } = parts();
    await running.app.ready();
    const mine = await populated();
    const archive = await archiveOf(running, mine);
    expect(feed.exported).toContain(mine);
    expect(archive.names.at(-1)).toBe('manifest.json');
    expect(archive.manifest.tables).toEqual(sumsOf(archive));
    expect(archive.manifest).toMatchObject({ service: service.name, organizationId: mine });
    for (const { name } of exported) expect(archive.manifest.tables[name]?.rows, name).toBeGreaterThan(0);

    const elsewhere = await startTestService(service, { env });
    onTestFinished(() => elsewhere.close());
    const into = randomUUID();
    const migration = await lastMigration(service.migrationsDirectory);
    const tables = service.archive?.tables;
    if (!tables) throw new Error(`${service.name} has no archive.`);
    await withFileOf(archive.bytes, async (path) => {
      const opened = await OpenedArchive.open(path);
      const importing = new ArchiveImport({ service: service.name, migration, tables });
      await importing.run(elsewhere.database.within({ organizationId: into }), opened);
      await opened.close();
    });
    const again = await archiveOf(elsewhere, into);
    expect(dataOf(again, imported)).toEqual(dataOf(archive, imported));
  });

  it('leaves without a row of another one, with either layer of isolation off [S-292]', async () => {
    const { running, populated } = parts();
    await running.app.ready();
    const [mine, theirs] = [await populated(), await populated()];
    const names = exported.map(({ name }) => name);
    const before = await archiveOf(running, mine);
    expect(textOf(before)).not.toContain(theirs);
    const { query } = running.testDatabase;
    for (const name of names) await query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
    const withoutPolicies = await archiveOf(running, mine);
    for (const name of names) await query(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
    expect(dataOf(withoutPolicies, names)).toEqual(dataOf(before, names));

    const { pool } = running.database;
    for (const { name, read } of exported) {
      const text = read.text.replace('t.organization_id = $1', '$1::uuid IS NOT NULL');
      expect(text).not.toBe(read.text);
      const lines = await pool.within({ organizationId: mine }, async () => {
        const { rows } = (await pool.query(text, [mine])) as { rows: { line: string }[] };
        return rows.map(({ line }) => `${line}\n`).join('');
      });
      expect(sortedLines(lines), name).toEqual(sortedLines(dataOf(before, [name])[name] ?? ''));
    }
  });

  it('leaves without a secret, a digest of one, or anything of a table that is kept [S-293]', async () => {
    const { running, populated } = parts();
    await running.app.ready();
    const mine = await populated();
    const text = textOf(await archiveOf(running, mine));
    const owned = [...(await tablesOf(running.testDatabase))].filter(([, isOwned]) => isOwned);
    let searched = 0;
    for (const [name] of owned.filter(([table]) => table in kept)) {
      const rows = await running.testDatabase.query<Record<string, unknown>>(
        `SELECT * FROM ${name} WHERE organization_id = $1`,
        [mine],
      );
      for (const value of rows.flatMap((row) => Object.values(row))) {
        if (!Buffer.isBuffer(value)) continue;
        searched += 1;
        for (const form of ['hex', 'base64', 'base64url'] as const) {
          expect(text, name).not.toContain(value.toString(form));
        }
      }
    }
    expect(text).not.toContain(canary);
    if ('idempotency_keys' in kept && owned.some(([name]) => name === 'idempotency_keys')) {
      expect(searched).toBeGreaterThan(0);
    }
  });

  it('is exported for an owner who has just authenticated, and whose export auth-service has noted [S-294]', async () => {
    const { running, feed } = parts();
    await running.app.ready();
    const organizationId = randomUUID();
    const outcome = async (claims: Readonly<Record<string, unknown>> = {}) => {
      const { statusCode, headers, body } = await ask(running, { organizationId, ...claims });
      const check = await ask(running, { organizationId, ...claims }, '?mode=check');
      expect(check.statusCode).toBe(statusCode === 200 ? 204 : statusCode);
      const isJson = String(headers['content-type']).startsWith('application/json');
      return isJson
        ? [statusCode, (JSON.parse(body) as { error: { code: string } }).error.code]
        : [statusCode];
    };
    const now = Math.floor(Date.now() / 1_000);
    expect(await outcome({ auth_time: now - 400 })).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
    expect(await outcome({ role: 'admin' })).toEqual([403, 'FORBIDDEN']);
    expect(feed.exported).not.toContain(organizationId);
    for (const [refusal, expected] of [
      [{ status: 429, code: 'RATE_LIMITED' }, [429, 'RATE_LIMITED']],
      [{ status: 403, code: 'FORBIDDEN' }, [403, 'FORBIDDEN']],
      [{ status: 401, code: 'UNAUTHENTICATED', reason: 'SESSION_ENDED' }, [401, 'UNAUTHENTICATED']],
      [{ status: 500 }, [503, 'UPSTREAM_UNAVAILABLE']],
    ] as const) {
      feed.refuseExports(organizationId, refusal);
      expect(await outcome()).toEqual(expected);
    }
    feed.isAway = true;
    expect(await outcome()).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    feed.isAway = false;
    feed.refuseExports(organizationId, { status: 204 });
    expect(await outcome()).toEqual([200]);
  });
}

/** All that is written in it. */
const textOf = ({ files }: ReadArchive): string =>
  [...files].map(([name, bytes]) => `${name}\n${bytes.toString('latin1')}`).join('\n');

const sortedLines = (text: string): string[] => text.split('\n').sort();
