/**
 * Runs one bench by name, with the arguments that follow: `npm run bench -- gateway 9 64`. Without a name it lists
 * them. `all` runs each of them and writes the table of README.md; `all --quick` only shows that they work. One at a
 * time: two would measure each other.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startTemporaryPostgres } from '@tenantry/dev-database';
import { writeTable } from './table.ts';

const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace('.bench.ts', ''))
  .sort();
const withoutDatabase = ['gateway', 'metrics', 'tracing', 'verify'];
const home = join(import.meta.dirname, '..');
const [name] = process.argv.splice(2, 1);

if (name === 'all') runAll();
else if (name === 'table') writeTable(places().results, places().table);
else if (name !== undefined && names.includes(name)) await run(name);
else {
  console.error(`npm run bench -- all [--quick], table, or one of: ${names.join(', ')}`);
  process.exitCode = 1;
}
if (process.connected) process.disconnect();

async function run(bench: string): Promise<void> {
  if (!withoutDatabase.includes(bench) && !process.env['TEST_DATABASE_ADMIN_URL']) {
    // It commits to its disk as a database in production does: one that does not would flatter the service that commits more often.
    process.env['TEST_DATABASE_ADMIN_URL'] = (await startTemporaryPostgres({ durable: true })).adminUrl;
  }
  await import(`./${bench}.bench.ts`);
}

/** Each in a process of its own; one that fails leaves its lines out of the table. */
function runAll(): void {
  const { results, table, quick } = places();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  for (const bench of names) {
    console.log(`\n## ${bench}`);
    const environment = {
      BENCH_NAME: bench,
      BENCH_RESULTS: join(results, `${bench}.json`),
      ...(quick && { BENCH_QUICK: '1' }),
    };
    const { status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, bench], {
      stdio: 'inherit',
      env: { ...process.env, ...environment },
    });
    if (status !== 0) {
      console.error(`${bench} failed, or missed its goal`);
      process.exitCode = 1;
    }
  }
  writeTable(results, table);
}

function places(): { results: string; table: string; quick: boolean } {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      results: { type: 'string', default: join(home, 'results') },
      table: { type: 'string', default: join(home, 'README.md') },
    },
  });
  return values;
}
