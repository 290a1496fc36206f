/**
 * The archive of an organization with 100,000 leads, as the runtime role under row-level security, and its import into another
 * organization:
 *
 *     npm run bench -- archive
 *
 * Goals: out in 5 s, in at 2,000 rows a second, and both with less than 50 MB in use beyond what the process has before. Memory is
 * measured in runs of its own, after collections of garbage; how much garbage there is between them is up to V8. Besides, the 99th
 * percentile of what others wait for their first page while archives are written, beside that without any: it at most doubles.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workspaceRoot } from '@tenantry/dev-database';
import { ArchiveImport, Archives, OpenedArchive } from '@tenantry/service/archive';
import type { BusinessService } from '@tenantry/service/business';
import { TenantDatabase } from '@tenantry/tenancy';
import { decided, median, report, sized, spread } from './figures.ts';
import { createLeadsDatabase, firstLeads, listLeads } from './leads-database.ts';

const leads = sized(100_000, 2_000);
const memoryGoalMb = 50;
/** Who asks for pages meanwhile, at once, and how often at least. */
const [askers, pagesAtLeast] = [4, sized(2_000, 100)];
const rounds = sized(5, 1);
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const definition = join(workspaceRoot, 'apps/leads-service/src/service.ts');
const { service } = (await import(definition)) as { readonly service: BusinessService };
const { archive: declared, models, prisma, unscoped = {} } = service;
if (!declared) throw new Error('leads-service has no archive');
const archive = { ...declared, service: 'leads-service' };

const filled = await createLeadsDatabase();
const database = new TenantDatabase({ connectionString: filled.runtimeUrl, models, prisma, unscoped });
const directory = await mkdtemp(join(tmpdir(), 'tenantry-bench-'));
const file = join(directory, 'leads.zip');
const [from, into] = [randomUUID(), randomUUID()];

try {
  await filled.admin.query('UPDATE storage_limits SET rows = 10000000, rows_unconfirmed = 10000000');
  await filled.fill(from, leads);
  await filled.settle();
  const [small, smallFile] = [randomUUID(), join(directory, 'small.zip')];
  await filled.fill(small, 100);
  await exportTo(smallFile, small);
  await importFrom(smallFile, randomUUID());

  const out = await measured(() => exportTo(file, from));
  const { size } = await stat(file);
  report({
    what: `archive of ${leads} leads`,
    value: `${out.seconds.toFixed(1)} s, ${(size / 1024 / 1024).toFixed(1)} MB`,
    goal: '5 s',
    reached: out.seconds <= 5,
  });
  reportMemory('archive', await memoryOf(() => exportTo(file, from)));

  await reportOthers(small);

  await filled.admin.query('DELETE FROM leads WHERE organization_id = $1', [from]);
  const back = await measured(() => importFrom(file, into));
  const perSecond = Math.round(leads / back.seconds);
  report({
    what: `import of ${leads} leads, checks and digests included`,
    value: `${back.seconds.toFixed(1)} s, ${perSecond} rows a second`,
    goal: '2,000 rows a second',
    reached: perSecond >= 2_000,
  });
  await filled.admin.query('DELETE FROM leads WHERE organization_id = $1', [into]);
  reportMemory('import', await memoryOf(() => importFrom(file, randomUUID())));
} finally {
  await database.close();
  await filled.drop();
  await rm(directory, { recursive: true });
}
process.exit();

async function exportTo(path: string, organizationId: string): Promise<void> {
  const archives = new Archives({ ...archive, migration: async () => '' });
  await pipeline(archives.begin({ tenant: database.within({ organizationId }) }), createWriteStream(path));
}

async function importFrom(path: string, organizationId: string): Promise<void> {
  const opened = await OpenedArchive.open(path);
  const importing = new ArchiveImport({ ...archive, migration: '' });
  await importing.run(database.within({ organizationId }), opened);
  await opened.close();
}

/** What others wait for a page, without an archive and beside one, in turns. */
async function reportOthers(organizationId: string): Promise<void> {
  const list = await listLeads();
  const rows = database.within({ organizationId });
  const asked = async (isOver: () => boolean): Promise<number> => {
    const waits: number[] = [];
    const asking = Array.from({ length: askers }, async () => {
      while (!isOver() || waits.length < pagesAtLeast) {
        const since = performance.now();
        await list(rows, firstLeads);
        waits.push(performance.now() - since);
      }
    });
    await Promise.all(asking);
    return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? Number.NaN;
  };
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await asked(() => true));
    let isOver = false;
    const exporting = exportTo(file, from).finally(() => (isOver = true));
    beside.push(await asked(() => isOver));
    await exporting;
  }
  const ratios = beside.map((ms, round) => ms / (alone[round] ?? Number.NaN));
  report({
    what: `p99 of others' first page beside an archive of ${leads} leads`,
    value: `${median(beside).toFixed(1)} ms, ${spread(ratios)} of that without one (${median(alone).toFixed(1)} ms), at a load of ${(loadavg()[0] ?? 0).toFixed(1)}`,
    goal: 'twice',
    reached: decided(ratios, median(ratios) <= 2),
  });
}

async function measured(work: () => Promise<void>) {
  const since = performance.now();
  await work();
  return { seconds: (performance.now() - since) / 1_000 };
}

/** How much more memory is in use at most while work is done, in MB. */
async function memoryOf(work: () => Promise<void>): Promise<number> {
  const before = usedMb();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, usedMb())), 1_000);
  await work();
  clearInterval(timer);
  return Math.round(most - before);
}

function usedMb(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

function reportMemory(what: string, memoryMb: number): void {
  report({
    what: `memory of the ${what}`,
    value: `${memoryMb} MB`,
    goal: `${memoryGoalMb} MB`,
    reached: memoryMb < memoryGoalMb,
  });
}
