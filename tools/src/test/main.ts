import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ExplainedError, workspaceRoot } from '@tenantry/dev-database';
import { startTestPostgres } from '@tenantry/test-kit';
import { discoverServices } from '../services.ts';
import { checks, type CheckContext } from './checks.ts';
import { readCounts, summaryLine } from './reports.ts';

/** Runs all checks, for all projects or for one, and returns what failed. */
async function test(names: readonly string[], signal: AbortSignal): Promise<void> {
  const project = projectFolder(names);
  const results = join(workspaceRoot, 'test-results');
  await rm(results, { recursive: true, force: true });
  const postgres = await startTestPostgres();
  const failures: string[] = [];
  try {
    const services = discoverServices(workspaceRoot);
    const databaseAdminUrl = postgres.adminUrl;
    const context = { workspaceRoot, services, project, databaseAdminUrl, results, signal };
    failures.push(...(await runChecks(context)));
  } finally {
    await postgres.stop();
  }
  const counts = readCounts(results, project && packageName(project));
  const failedElsewhere = failures.filter((name) => !name.endsWith(':test'));
  if (failures.length > 0) console.log(['', 'Failed:', ...failures.map((name) => `  ${name}`)].join('\n'));
  // A check that is no test counts as one, so that the line never says 0 failed for a run that did.
  counts.failed += failedElsewhere.length;
  console.log(`\n${summaryLine(counts)}`);
  process.exitCode = failures.length > 0 || counts.failed > 0 ? 1 : 0;
}

async function runChecks(context: CheckContext): Promise<string[]> {
  const failures: string[] = [];
  const applicable = checks.filter((check) => check.applies(context));
  for (const [index, check] of applicable.entries()) {
    const startedAt = performance.now();
    console.log(`\n[${index + 1}/${applicable.length}] ${check.title}`);
    const failed = await check.run(context);
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    console.log(
      `[${index + 1}/${applicable.length}] ${check.title}: ${failed.length ? 'FAILED' : 'ok'}, ${seconds} s`,
    );
    failures.push(...failed);
  }
  return failures;
}

/** `leads-service` or `tenancy` → apps/leads-service, libs/tenancy. */
function projectFolder([name, ...others]: readonly string[]): string | undefined {
  if (name === undefined) return undefined;
  const short = name.replace(/^@tenantry\//, '');
  const folder = [`apps/${short}`, `libs/${short}`, short].find((path) =>
    existsSync(join(workspaceRoot, path, 'package.json')),
  );
  if (folder === undefined || others.length > 0) {
    throw new ExplainedError(
      'npm test runs everything; npm test -- leads-service runs one project (a folder of apps or libs, tools, bench).',
    );
  }
  return folder;
}

function packageName(folder: string): string {
  const manifest = readFileSync(join(workspaceRoot, folder, 'package.json'), 'utf8');
  return (JSON.parse(manifest) as { name: string }).name;
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
