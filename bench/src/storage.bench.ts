/**
 * What it costs to count what organizations store, for those who add: requests to leads-service, through all of it but its
 * socket, with the triggers that count and on a database without them, in pairs:
 *
 *     npm run bench -- storage [pairs]
 *
 * Goal: 5 % or less. By processor time, of the service and of PostgreSQL, it is roughly valid on a busy machine too.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, report, sized } from './figures.ts';
import { processorTicks } from './gateway/contenders.ts';

const pairs = Number(process.argv[2] ?? sized(1_500, 10));
const importedRows = sized(1_000, 50);
const goal = 1.05;
/** A clock tick of the kernel. */
const tickMs = 10;

/** What the test kit of services gives, as far as this uses it. */
interface Started {
  member(
    claims: object,
  ): Promise<{ send(method: string, url: string, sent: object): Promise<{ status: number; text: string }> }>;
  readonly testDatabase: { query(text: string): Promise<{ readonly pid: number }[]> };
  close(): Promise<void>;
}

const dropTriggers = `
  DO $$ DECLARE counted record; BEGIN
    FOR counted IN SELECT tgname, tgrelid::regclass AS name FROM pg_trigger
      WHERE tgfoid IN ('app.count_storage()'::regprocedure, 'app.check_storage()'::regprocedure)
    LOOP EXECUTE format('DROP TRIGGER %I ON %s', counted.tgname, counted.name); END LOOP;
  END $$`;

process.env['TEST_LOG_DIRECTORY'] ??= await mkdtemp(join(tmpdir(), 'tenantry-bench-'));
const support = new URL('../../apps/leads-service/test/support/service.ts', import.meta.url).href;
const { startService } = (await import(support)) as {
  startService: (options: { env: Record<string, string> }) => Promise<Started>;
};

async function startSide(isCounted: boolean) {
  const quotas = { QUOTA_ROWS_UNCONFIRMED: '100000000', QUOTA_BYTES_UNCONFIRMED: '100000000000' };
  const service = await startService({ env: { LOG_LEVEL: 'silent', ...quotas } });
  if (!isCounted) await service.testDatabase.query(dropTriggers);
  const caller = await service.member({ role: 'admin' });
  return {
    service,
    processorMs: 0,
    /** Sends one request, and gives how many milliseconds it took. */
    async add(url: string, sent: object): Promise<number> {
      const [before, processorBefore] = [performance.now(), process.cpuUsage()];
      const { status, text } = await caller.send('POST', url, sent);
      if (status > 201) throw new Error(text);
      const { user, system } = process.cpuUsage(processorBefore);
      this.processorMs += (user + system) / 1_000;
      return performance.now() - before;
    },
    /** Of the connections of the service, in milliseconds. */
    async ofPostgres(): Promise<number> {
      const connections = await service.testDatabase.query(
        `SELECT pid FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return connections.reduce((sum, { pid }) => sum + (processorTicks(pid) ?? Number.NaN) * tickMs, 0);
    },
  };
}

const sides = [await startSide(true), await startSide(false)] as const;

/** The ratio of each pair, the sides of which are first in turn. */
async function measure(
  what: string,
  times: number,
  sentAs: (n: number) => readonly [string, object],
): Promise<void> {
  const took: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(times / 10);
  const add = async (n: number, side: 0 | 1) => took[side].push(await sides[side].add(...sentAs(n)));
  const both = async (n: number) => {
    for (const side of n % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) await add(n, side);
  };
  for (let n = -warmUp; n < 0; n++) await both(n);
  for (const ms of took) ms.length = 0;
  for (const side of sides) side.processorMs = -(await side.ofPostgres());
  for (let n = 0; n < times; n++) await both(n);
  for (const side of sides) side.processorMs += await side.ofPostgres();
  const ratios = took[0].map((ms, n) => ms / (took[1][n] ?? Number.NaN)).toSorted((a, b) => a - b);
  const ratio = median(ratios);
  // The interval of the median by the order of the pairs, at 95 %.
  const around = 0.98 * Math.sqrt(ratios.length);
  const [low = NaN, high = NaN] = [-around, around].map((by) =>
    ratios.at(Math.min(Math.max(0, Math.round(ratios.length / 2 + by)), ratios.length - 1)),
  );
  const [counted, plain] = sides.map(({ processorMs }) => processorMs / times) as [number, number];
  report({
    what: `${what}, by processor time`,
    value: `${(counted / plain).toFixed(3)}; ${counted.toFixed(2)} ms, without ${plain.toFixed(2)}`,
    goal: String(goal),
    reached: counted / plain <= goal,
  });
  report({
    what: `${what}, by pairs`,
    value: `${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}); ${median(took[0]).toFixed(2)} ms, without ${median(took[1]).toFixed(2)}`,
    goal: String(goal),
    reached: low <= goal && high > goal ? 'not decided' : ratio <= goal,
  });
}

try {
  await measure('creating a lead, counted to not counted', pairs, (n) => [
    '/api/leads',
    { body: { name: 'Åsa Lindström', email: `asa${n}@example.com`, source: 'website' } },
  ]);
  const lines = Array.from({ length: importedRows }, (_, row) => `Lead ${row},lead${row}@example.com\n`);
  await measure(
    `an import of ${importedRows.toLocaleString('en')} leads, the same`,
    Math.ceil(pairs / 30),
    () => [
      '/api/leads/import',
      { body: `name,email\n${lines.join('')}`, headers: { 'content-type': 'text/csv' } },
    ],
  );
} finally {
  for (const { service } of sides) await service.close();
}
process.exit();
