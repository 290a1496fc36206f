import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { testLog } from '@tenantry/test-kit';
import { startStack } from '../start/stack.ts';
import type { ServiceDescription } from '../services.ts';
import { runCommand, type Outcome } from './command.ts';
import { checkLogs, logFolder, startsServices } from './log-check.ts';

/** What all checks share. */
export interface CheckContext {
  workspaceRoot: string;
  /** The services, for checks that look at each. */
  services: readonly ServiceDescription[];
  /** Folder of the one project asked for, as `apps/leads-service`; undefined for all. */
  project: string | undefined;
  databaseAdminUrl: string;
  /** Folder of the reports and log lines of this run. */
  results: string;
  signal: AbortSignal;
}

/** One step of `npm test`. */
export interface Check {
  title: string;
  /** Names what failed; empty when nothing did. */
  run: (context: CheckContext) => Promise<readonly string[]>;
  /** False where it has nothing to say about the one project asked for. */
  applies: (context: CheckContext) => boolean;
}

const always = () => true;

/** The steps in order: what is cheap to repair comes first. */
export const checks: readonly Check[] = [
  { title: 'Format', applies: always, run: checkFormat },
  {
    title: 'Lint, types, build',
    applies: always,
    run: (context) => runTargets(context, { targets: 'lint,typecheck,build', parallel: 2 }),
  },
  { title: 'Migrations', applies: hasDatabase, run: checkMigrations },
  // Each project's tests use two workers: more at once would make those that measure time fail.
  {
    title: 'Tests',
    applies: always,
    run: (context) => runTargets(context, { targets: 'test', parallel: 1 }),
  },
  { title: 'Production build starts', applies: ({ project }) => project === undefined, run: checkBoot },
  // Last: it reads what all of the above left.
  { title: 'No secret in the logs', applies: startsServices, run: checkLogs },
];

async function checkFormat({ workspaceRoot, project = '.', signal }: CheckContext): Promise<string[]> {
  const script = join(workspaceRoot, 'node_modules/prettier/bin/prettier.cjs');
  const args = ['--check', '--cache', '--cache-location', 'node_modules/.cache/tenantry/prettier', project];
  const { ok } = await runCommand({ script, args }, signal);
  return ok ? [] : ['format: run npm run format'];
}

async function runTargets(
  context: CheckContext,
  { targets, parallel }: { targets: string; parallel: number },
): Promise<readonly string[]> {
  const { workspaceRoot, project, databaseAdminUrl, signal } = context;
  const only = project === undefined ? [] : ['--projects', project];
  const outcome = await runCommand(
    {
      script: join(workspaceRoot, 'node_modules/nx/dist/bin/nx.js'),
      args: ['run-many', '--targets', targets, ...only, `--parallel=${parallel}`, '--outputStyle=static'],
      // The daemon would outlive this run.
      env: { NX_DAEMON: 'false', NX_TUI: 'false', TEST_DATABASE_ADMIN_URL: databaseAdminUrl },
    },
    signal,
  );
  return failedTasks(outcome, targets);
}

/** Nx ends with `Failed tasks:` and one line `- project:target` each. */
export function failedTasks({ ok, lines }: Outcome, targets: string): readonly string[] {
  if (ok) return [];
  const plain = lines.map((line) => stripVTControlCharacters(line).trim());
  const tasks = plain
    .slice(plain.lastIndexOf('Failed tasks:') + 1)
    .flatMap((line) => /^- (\S+:\S+)$/.exec(line)?.[1] ?? []);
  return tasks.length > 0 ? tasks : [`nx run-many --targets ${targets}: see above`];
}

function hasDatabase({ services, project }: CheckContext): boolean {
  return services.some(
    ({ name, hasDatabase: has }) => has && (project === undefined || project === `apps/${name}`),
  );
}

async function checkMigrations({
  workspaceRoot,
  project,
  databaseAdminUrl,
  signal,
}: CheckContext): Promise<string[]> {
  const script = join(workspaceRoot, 'tools/src/migrate/main.ts');
  const service = project === undefined ? [] : [project.replace(/^apps\//, '')];
  const env = { TEST_DATABASE_ADMIN_URL: databaseAdminUrl };
  const { ok } = await runCommand({ script, args: ['--check', ...service], env }, signal);
  return ok ? [] : ['migrations and schema disagree: see above'];
}

/** Runs what `npm run build` made, with plain Node and as in production, until every service is ready. */
async function checkBoot({ workspaceRoot, results, signal }: CheckContext): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tenantry-boot-'));
  const log = testLog(join(results, logFolder, 'production-build'));
  try {
    const stack = await startStack({
      workspaceRoot,
      directory,
      run: 'build',
      env: { ...process.env, NODE_ENV: 'production', LOG_LEVEL: 'trace', PORT: '0' },
      fresh: false,
      log: { write: (service, line) => log.write(`${service} ${line}\n`), release: () => undefined },
      progress: { step: (_name, work) => work(), note: () => undefined, end: () => undefined },
      signal,
      onGiveUp: () => undefined,
    });
    await stack.stop();
    console.log('Every service is ready when run from its build.');
    return [];
  } catch (error) {
    signal.throwIfAborted();
    console.error(log.text() + (error as Error).message);
    return [`production build: ${(error as Error).message.split('\n')[0] ?? ''}`];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
