/**
 * Runs benches by name: `npm run bench -- gateway 9 64` runs one with its own arguments and prints its result;
 * `record gateway verify` runs some, keeps their results and writes the figures of README.md; `record all` runs each of
 * them. `--quick` before the names takes few rounds and little data, to see that a bench works, and keeps nothing. One
 * at a time: two would measure each other.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTemporaryPostgres } from '@tenantry/dev-database';
import { writeFigures } from './readme.ts';

const names = globSync('*.bench.ts', { cwd: import.meta.dirname })
  .map((file) => file.replace('.bench.ts', ''))
  .sort();
const withoutDatabase = ['gateway', 'metrics', 'tracing', 'verify'];
const home = join(import.meta.dirname, '..');
const [first, ...others] = process.argv.slice(2);

if (first === 'record') withEach(others, record);
else if (first === '--quick') withEach(others, runQuickly);
else if (first !== undefined && names.includes(first)) {
  process.argv.splice(2, 1);
  await run(first);
} else refuse();
if (process.connected) process.disconnect();

async function run(bench: string): Promise<void> {
  if (!withoutDatabase.includes(bench) && !process.env['TEST_DATABASE_ADMIN_URL']) {
    // It commits to its disk as a database in production does: one that does not would flatter the service that commits more often.
    process.env['TEST_DATABASE_ADMIN_URL'] = (await startTemporaryPostgres({ durable: true })).adminUrl;
  }
  await import(`./${bench}.bench.ts`);
}

function withEach(wanted: readonly string[], work: (bench: string) => boolean): void {
  const chosen = wanted.includes('all') ? names.filter(isComplete) : wanted;
  if (chosen.length === 0 || chosen.some((bench) => !names.includes(bench))) {
    refuse();
    return;
  }
  for (const bench of chosen) {
    console.log(`\n## ${bench}`);
    if (work(bench)) continue;
    console.error(`${bench} failed`);
    process.exitCode = 1;
  }
}

/** Whether a bench has all that it needs: `against` needs another checkout. */
function isComplete(bench: string): boolean {
  return bench !== 'against' || process.env['AGAINST'] !== undefined;
}

/** Replaces what the bench came to before, and leaves the figures of the others as they are. */
function record(bench: string): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'tenantry-bench-'));
  const file = join(directory, `${bench}.json`);
  const isDone = runApart(bench, { BENCH_NAME: bench, BENCH_RESULTS: file }) && existsSync(file);
  if (isDone) {
    mkdirSync(join(home, 'results'), { recursive: true });
    copyFileSync(file, join(home, 'results', `${bench}.json`));
    writeFigures(join(home, 'results'), join(home, 'README.md'));
  }
  rmSync(directory, { recursive: true });
  return isDone;
}

function runQuickly(bench: string): boolean {
  return runApart(bench, { BENCH_QUICK: '1' });
}

/** In a process of its own. */
function runApart(bench: string, environment: Readonly<Record<string, string>>): boolean {
  const { status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, bench], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  return status === 0;
}

function refuse(): void {
  console.error(`npm run bench -- [record | --quick] NAME… | all; the names: ${names.join(', ')}`);
  process.exitCode = 1;
}
