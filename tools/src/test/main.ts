import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { startTestPostgres } from '@tenantry/test-kit';
import { discoverServices } from '../services.ts';
import type { CheckContext } from './check-context.ts';
import { shortChaos, suites, testStages, type Check, type Stages } from './checks.ts';
import { countTests, failedFiles, readReport, slowestTests, summaryLine, unsteadyTests } from './report.ts';

const options = [...Object.keys(suites).map((name) => `--${name}`), '--short'];

/** Runs all checks, for all projects or for one; or those of another suite, such as `--system`, and `--chaos` also in short. */
async function test(args: readonly string[], signal: AbortSignal): Promise<void> {
  const project = projectFolder(args.filter((arg) => !options.includes(arg)));
  const results = join(workspaceRoot, 'test-results');
  await rm(results, { recursive: true, force: true });
  const services = discoverServices(workspaceRoot);
  const failures = await runOnPostgres(stagesOf(args), { workspaceRoot, services, project, results, signal });
  const report = readReport({ workspaceRoot, results });
  const counts = countTests(report);
  // A check that is no test counts as one, so that the line never says 0 failed for a run that did.
  counts.failed += failures.filter((name) => !failedFiles(report).includes(name)).length;
  if (project === undefined) console.log(['', 'The slowest tests:', ...slowestTests(report, 20)].join('\n'));
  const unsteady = unsteadyTests({ workspaceRoot, results });
  if (unsteady.length > 0) {
    const lines = [
      '',
      'Failed, and passed when run once more by themselves:',
      ...unsteady.map((name) => `  ${name}`),
    ];
    console.log(lines.join('\n'));
  }
  if (failures.length > 0) console.log(['', 'Failed:', ...failures.map((name) => `  ${name}`)].join('\n'));
  console.log(`\n${summaryLine(counts)}`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

function stagesOf(args: readonly string[]): Stages {
  if (args.includes('--chaos') && args.includes('--short')) return shortChaos;
  const [, asked = testStages] = Object.entries(suites).find(([name]) => args.includes(`--${name}`)) ?? [];
  return asked;
}

async function runOnPostgres(
  stages: Stages,
  context: Omit<CheckContext, 'databaseAdminUrl'>,
): Promise<string[]> {
  const postgres = await startTestPostgres();
  try {
    return await runStages(stages, { ...context, databaseAdminUrl: postgres.adminUrl });
  } finally {
    await postgres.stop();
  }
}

async function runStages(stages: Stages, context: CheckContext): Promise<string[]> {
  const failures: string[] = [];
  for (const lines of stages) {
    const ended = await Promise.all(lines.map((checks, index) => runLine(checks, context, index > 0)));
    failures.push(...ended.flat());
  }
  return failures;
}

/** Runs checks one after the other; `aside` holds back what each prints until it is done. */
async function runLine(checks: readonly Check[], context: CheckContext, aside: boolean): Promise<string[]> {
  const failures: string[] = [];
  for (const check of checks.filter(({ applies }) => applies(context))) {
    const startedAt = performance.now();
    const held: string[] = [];
    console.log(`\n${check.title} …`);
    const failed = await check.run(context, aside ? (line) => held.push(line) : console.log);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    for (const line of held) console.log(line);
    console.log(`${check.title}: ${failed.length ? 'FAILED' : 'ok'}, ${seconds} s`);
    failures.push(...failed);
  }
  return failures;
}

/** `leads-service`, `tenancy` or `service-template` → apps/leads-service, libs/tenancy, tools/service-template. */
function projectFolder([name, ...others]: readonly string[]): string | undefined {
  if (name === undefined) return undefined;
  const short = name.replace(/^@tenantry\//, '');
  const folder = [`apps/${short}`, `libs/${short}`, `tools/${short}`, short].find((path) =>
    existsSync(join(workspaceRoot, path, 'package.json')),
  );
  if (folder === undefined || others.length > 0) {
    throw new ExplainedError(
      'npm test runs everything; npm test -- leads-service runs one project (a folder of apps or libs, tools, bench).',
    );
  }
  return folder;
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
process.on('disconnect', () => stopping.abort());
try {
  await test(process.argv.slice(2), stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) console.error(error instanceof ExplainedError ? error.message : error);
  process.exitCode = stopping.signal.aborted ? 130 : 1;
}
// Neither the channel to the bootstrap nor an idle timer of a library may hold the process.
process.exit();
