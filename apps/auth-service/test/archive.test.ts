import { buffer } from 'node:stream/consumers';
import { Archives } from '@tenantry/service/archive';
import { archiveTests, dataOf, readArchive, rowsOf, sumsOf, type ReadArchive } from '@tenantry/service-tests';
import { createLogger } from '@tenantry/service/logging';
import { canary, testLog } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { organizationArchive } from '../src/organizations/exports/organization-archive.repository.ts';
import { send, signUp } from './support/client.ts';
import {
  connectionsOf,
  idpClient,
  newDomain,
  ownedCompany,
  type OwnedCompany,
} from './support/connections.ts';
import { lettersTo } from './support/mail.ts';
import { ask, foundCompany } from './support/organizations.ts';
import { openDatabase, startService } from './support/service.ts';
import { newAccount, newKey } from './support/service-accounts.ts';

const service = await startService({ settings: { RATE_LIMIT_EXPORTS_PER_HOUR: '2' } });
const { app, config, database, sql } = service;
const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
const opened = openDatabase(config, logger);
afterAll(() => opened.close());
const { tables } = organizationArchive;
const names = tables.exported.map(({ name }) => name);

const exportOf = (id: string, token: string) =>
  app.inject({
    url: `/api/auth/organization/${id}/export`,
    headers: { authorization: `Bearer ${token}` },
  });

async function archiveOf({ id, token }: Pick<OwnedCompany, 'id' | 'token'>): Promise<ReadArchive> {
  const { rawPayload, statusCode } = await exportOf(id, token);
  expect(statusCode).toBe(200);
  return readArchive(rawPayload);
}

/** All that is written in it. */
const textOf = ({ files }: ReadArchive): string =>
  [...files].map(([name, bytes]) => `${name}\n${bytes.toString('latin1')}`).join('\n');

/** A company with rows in every table of its archive, and with something of everything that lets somebody in. */
async function filledCompany() {
  const company = await ownedCompany(service);
  const { id, token, owner } = company;
  const place = { by: owner, organizationId: id };
  const account = await newAccount(service, place);
  const { key } = await newKey(service, place, account.id);
  const invited = await ask(service, `POST /organization/${id}/invitations`, {
    token,
    body: { email: `${newDomain()}@example.com`, role: 'member' },
  });
  expect(invited.status).toBe(201);
  await sql(
    `INSERT INTO domains (organization_id, id, domain, challenge, joins, created_by, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), $2, repeat('canary-', 6) || '0', 'nobody', $3, now(), now())`,
    [id, newDomain(), owner.id],
  );
  const connections = connectionsOf(service, company);
  const connection = await connections.create();
  const { status } = await connections.change(connection.id, {
    clientId: idpClient.clientId,
    clientSecret: idpClient.clientSecret,
  });
  expect(status).toBe(200);
  await sql(
    `INSERT INTO directory_groups (organization_id, connection_id, id, display_name, name_key, role, created_at, updated_at)
     VALUES ($1, $2, gen_random_uuid(), 'Sales', 'sales', 'member', now(), now())`,
    [id, connection.id],
  );
  await sql(
    `INSERT INTO scim_tokens (organization_id, id, connection_id, digest, ending, created_by, created_at)
     VALUES ($1, gen_random_uuid(), $2, sha256('canary'), 'abcd', $3, now())`,
    [id, connection.id, owner.id],
  );
  await sql(`INSERT INTO organization_logos VALUES ($1, 'image/png', '\\x89504e47')`, [id]);
  return { ...company, key };
}

describe('the archive of auth-service', () => {
  archiveTests(() => ({ tables, database }));

  test('has settings, people, ways in and the trail of an organization, and tables for people [S-291, S-336]', async () => {
    const company = await filledCompany();
    const archive = await archiveOf(company);
    expect(archive.names.at(-1)).toBe('manifest.json');
    expect(archive.manifest.tables).toEqual(sumsOf(archive));
    expect(archive.manifest).toMatchObject({ service: 'auth-service', organizationId: company.id });
    for (const name of names) expect(archive.manifest.tables[name]?.rows, name).toBeGreaterThan(0);
    expect(rowsOf(archive, 'organizations')).toMatchObject([
      { slug: company.slug, name: 'Acme', vat_rate: 25 },
    ]);
    const people = rowsOf(archive, 'members').map(({ user_id: id, email, name, role }) => ({
      id,
      email,
      name,
      role,
    }));
    const { owner, admin, member } = company;
    expect(people).toEqual(
      expect.arrayContaining(
        [owner, admin, member].map(({ id, email, name }, n) => ({
          ...{ id, email, name },
          role: ['owner', 'admin', 'member'][n],
        })),
      ),
    );
    expect(archive.names.filter((name) => name.startsWith('csv/'))).toEqual([
      'csv/people.csv',
      'csv/invitations.csv',
      'csv/activity.csv',
    ]);
    expect(String(archive.files.get('csv/people.csv'))).toContain(admin.email);
    expect(archive.files.get('logo.png')).toEqual(Buffer.from('89504e47', 'hex'));
    for (const readMe of ['README.txt', 'LÄSMIG.txt'])
      expect(String(archive.files.get(readMe))).toContain('api_keys: digests of keys');
  });

  test('leaves without a secret, a digest of one, or a way into an account, searched for by value [S-293, S-336]', async () => {
    const company = await filledCompany();
    const archive = await archiveOf(company);
    // A logo is its picture.
    const text = textOf({
      ...archive,
      files: new Map([...archive.files].filter(([name]) => name !== 'logo.png')),
    });
    expect(text).not.toContain(canary);
    for (const secret of [company.key, company.token, company.owner.refreshToken, config.AUTH_SECRET])
      expect(text).not.toContain(secret);
    const columns = await sql(
      `SELECT c.relname AS table, a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND c.relname <> 'organization_logos'
         AND (a.atttypid = 'bytea'::regtype OR a.attname IN ('password_hash', 'challenge', 'ending', 'secret_id'))`,
    );
    const searched = new Set<unknown>();
    for (const { table, name } of columns) {
      for (const { value } of await sql(`SELECT DISTINCT ${String(name)} AS value FROM ${String(table)}`)) {
        if (value === null) continue;
        searched.add(table);
        const forms = Buffer.isBuffer(value)
          ? (['hex', 'base64', 'base64url'] as const).map((form) => value.toString(form))
          : [value as string];
        // Short ones, such as a colour of chance, may be in anything.
        for (const form of forms.filter(({ length }) => length > 8))
          expect(text, String(table)).not.toContain(form);
      }
    }
    const expected = [
      'api_keys',
      'connections',
      'credentials',
      'domains',
      'invitations',
      'scim_tokens',
      'sessions',
    ];
    expect([...searched]).toEqual(expect.arrayContaining([...expected, 'signing_keys']));
  });

  test('leaves without a row of another organization, with either layer of isolation off [S-292]', async () => {
    const [mine, theirs] = [await filledCompany(), await filledCompany()];
    const before = await archiveOf(mine);
    for (const other of [theirs.id, theirs.slug, theirs.member.email, theirs.member.id])
      expect(textOf(before)).not.toContain(other);
    const unscoped = new Set(['organizations']);
    const scoped = names.filter((name) => !unscoped.has(name) && name !== 'audit_events');
    for (const name of names) await sql(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
    const withoutPolicies = await archiveOf(mine);
    for (const name of names) await sql(`ALTER TABLE ${name} ENABLE ROW LEVEL SECURITY`);
    expect(dataOf(withoutPolicies, [...unscoped, ...scoped])).toEqual(
      dataOf(before, [...unscoped, ...scoped]),
    );
    // Between them there is one entry more: the export.
    const trail = (archive: ReadArchive) => String(archive.files.get('data/audit_events.ndjson'));
    expect(trail(withoutPolicies).startsWith(trail(before))).toBe(true);
    expect(rowsOf(withoutPolicies, 'audit_events')).toHaveLength(rowsOf(before, 'audit_events').length + 1);

    const { pool } = opened;
    for (const { name, read } of tables.exported.filter((table) => !unscoped.has(table.name))) {
      const text = read.text.replace('t.organization_id = $1', '$1::uuid IS NOT NULL');
      expect(text).not.toBe(read.text);
      const lines = await pool.within({ organizationId: mine.id }, async () => {
        const { rows } = (await pool.query(text, [mine.id])) as { rows: { line: string }[] };
        return rows.map(({ line }) => `${line}\n`).join('');
      });
      const expected = dataOf(withoutPolicies, [name])[name] ?? '';
      expect(lines.split('\n').sort(), name).toEqual(expected.split('\n').sort());
    }
  });

  test('is for owners who have just authenticated: twice an hour, in the trail, and told of [S-294]', async () => {
    const company = await foundCompany(service);
    const { id, owner, admin } = company;
    const refused = async (token: string) => {
      const { statusCode, body } = await exportOf(id, token);
      return [statusCode, (JSON.parse(body) as { code: string }).code];
    };
    expect(await refused(admin.token)).toEqual([403, 'FORBIDDEN']);
    expect(await refused((await signUp(app)).token)).toEqual([404, 'NOT_FOUND']);
    for (let n = 0; n < 2; n += 1) expect((await exportOf(id, owner.token)).statusCode).toBe(200);
    expect(await refused(owner.token)).toEqual([429, 'RATE_LIMITED']);
    const entries = await sql(
      `SELECT details->>'service' AS service FROM audit_events WHERE organization_id = $1 AND action = 'organization.exported'`,
      [id],
    );
    expect(entries).toEqual([{ service: 'auth-service' }, { service: 'auth-service' }]);
    const letters = await lettersTo(service, owner.email);
    expect(letters.filter((template) => template === 'organization-exported')).toHaveLength(1);
    await send(app, 'POST /sign-out', { token: owner.token });
    expect(await refused(owner.token)).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('is of one moment beside six writers: each invitation is there with its entry in the trail [S-295]', async () => {
    const { id, token } = await ownedCompany(service);
    let isOver = false;
    let written = 0;
    const writers = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const body = { email: `${newDomain()}@example.com`, role: 'member' };
        const { status } = await ask(service, `POST /organization/${id}/invitations`, { token, body });
        if (status !== 201) throw new Error(`an invitation answered ${status}`);
        written += 1;
      }
    });
    const archives = new Archives({
      ...organizationArchive,
      service: 'auth-service',
      migration: async () => '',
    });
    const tenant = opened.within({ organizationId: id });
    const found: ReadArchive[] = [];
    while (found.length < 5 || written < 12)
      found.push(await readArchive(await buffer(archives.begin({ tenant }))));
    isOver = true;
    await Promise.all(writers);
    for (const archive of found) {
      expect(archive.manifest.tables).toEqual(sumsOf(archive));
      const entries = rowsOf(archive, 'audit_events').filter(({ action }) => action === 'invitation.created');
      expect(
        rowsOf(archive, 'invitations')
          .map(({ id: invited }) => invited)
          .sort(),
      ).toEqual(entries.map(({ target_id: target }) => target).sort());
    }
  });
});
