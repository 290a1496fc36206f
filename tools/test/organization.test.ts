import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { workspaceRoot } from '@tenantry/dev-database';
import { Archives, type ArchivedTenant } from '@tenantry/service/archive';
import { dataOf, readArchive, startTestService, type TestService } from '@tenantry/service-tests';
import { canarySecret } from '@tenantry/test-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { definitionOf, importArchives } from '../src/organization/import-archives.ts';
import { discoverServices } from '../src/services.ts';

const leads = discoverServices(workspaceRoot).find(({ name }) => name === 'leads-service')!;
const service = await definitionOf(leads);

const from = randomUUID();
let here: TestService;
let there: TestService;
let directory: string;
let file: string;
const printed: string[] = [];

const migration = async () => '20261129023545_keep_imports';
const tables = service.archive!.tables;
const archives = new Archives({ service: 'leads-service', migration, tables });
const exported = (running: TestService, organizationId: string) =>
  buffer(archives.begin({ tenant: running.database.within({ organizationId }) }));

beforeAll(async () => {
  const env = { INTERNAL_API_KEY: canarySecret() };
  [here, there] = [await startTestService(service, { env }), await startTestService(service, { env })];
  directory = await mkdtemp(join(tmpdir(), 'tenantry-organization-'));
  file = join(directory, 'leads.zip');
  const owner = await here.member({ role: 'owner', organizationId: from });
  for (const name of ['Ada', 'Grace']) {
    const body = { name, email: `${name.toLowerCase()}@example.com` };
    const { data } = (await owner.send('POST', '/api/leads', { body })).body as { data: { id: string } };
    if (name === 'Ada') await owner.send('DELETE', `/api/leads/${data.id}`);
  }
  await writeFile(file, await exported(here, from));
});
afterAll(async () => {
  await here.close();
  await there.close();
  await rm(directory, { recursive: true });
});

const options = () => ({
  workspaceRoot,
  env: { LEADS_SERVICE_DATABASE_URL: there.testDatabase.runtimeUrl },
  directory,
  print: (line: string) => void printed.push(line),
});

it('an operator imports the archive of a service, again where it was interrupted, and it does its daily work [S-297]', async () => {
  const into = randomUUID();
  await importArchives([file], into, options());
  await importArchives([file], into, options());
  const names = tables.exported.map(({ name }) => name);
  const [before, after] = [
    await readArchive(await exported(here, from)),
    await readArchive(await exported(there, into)),
  ];
  expect(dataOf(after, names)).toEqual(dataOf(before, names));
  expect(printed).toContain('  leads: 2');
  const chores = await there.testDatabase.query(
    'SELECT kind FROM due_work WHERE organization_id = $1 ORDER BY kind',
    [into],
  );
  expect(chores).toEqual([{ kind: 'audit-retention' }, { kind: 'deleted-leads' }]);
});

it('imports nothing of any archive where one is refused, and says which [S-296]', async () => {
  const into = randomUUID();
  const broken = join(directory, 'broken.zip');
  await writeFile(broken, (await exported(here, from)).subarray(0, 500));
  await expect(importArchives([file, broken], into, options())).rejects.toThrow(
    `${broken}: It is not a whole ZIP archive`,
  );
  const { manifest } = await readArchive(await exported(there, into));
  expect(manifest.tables['leads']?.rows).toBe(0);
});

it('judges the archive of auth-service before it is asked, and imports no other where it is away [S-296]', async () => {
  const auth = await definitionOf(
    discoverServices(workspaceRoot).find(({ name }) => name === 'auth-service')!,
  );
  const empty = {
    scope: { organizationId: from },
    snapshot: (work: (rows: object) => Promise<unknown>) =>
      work({
        scope: { organizationId: from },
        query: async () => [{ moment: new Date() }],
        async *batches() {},
      }),
  } as unknown as ArchivedTenant;
  const archiveOf = async (migration: string) => {
    const written = new Archives({
      ...auth.archive!,
      service: 'auth-service',
      migration: async () => migration,
    });
    const path = join(directory, `auth-${migration}.zip`);
    await writeFile(path, await buffer(written.begin({ tenant: empty })));
    return path;
  };
  const away = { AUTH_INTERNAL_URL: 'http://127.0.0.1:1', INTERNAL_API_KEY: canarySecret() };
  const asked = { ...options(), env: { ...options().env, ...away } };
  const into = randomUUID();
  await expect(importArchives([file, await archiveOf('99991231000000_later')], into, asked)).rejects.toThrow(
    'It is of a newer version',
  );
  await expect(importArchives([file, await archiveOf('20261120000000')], into, asked)).rejects.toThrow(
    'auth-service does not answer at http://127.0.0.1:1',
  );
  const { manifest } = await readArchive(await exported(there, into));
  expect(manifest.tables['leads']?.rows).toBe(0);
});
