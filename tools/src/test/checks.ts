import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testLog } from '@tenantry/test-kit';
import { startStack } from '../start/stack.ts';
import type { CheckContext } from './check-context.ts';
import { runCommand, type Command, type Show } from './command.ts';
import { checkLogs, logFolder, startsServices } from './log-check.ts';
import { failedFiles, readReport, reportNames } from './report.ts';

/** One step of `npm test`. */
export interface Check {
  title: string;
  /** Names what failed; empty when nothing did. */
  run: (context: CheckContext, show: Show) => Promise<readonly string[]>;
  /** False where it has nothing to say about the one project asked for. */
  applies: (context: CheckContext) => boolean;
}

/** One after the other: each holds lines of checks that run side by side. */
export type Stages = readonly (readonly (readonly Check[])[])[];

const always = () => true;
const forAll = ({ project }: CheckContext) => project === undefined;

/**
 * What `npm test` checks, stage by stage. The two lines of a stage run side by side: tests wait as much as they compute,
 * and what runs beside them computes while they wait.
 */
export const testStages: Stages = [
  [
    [
      { title: 'Migrations', applies: hasDatabase, run: checkMigrations },
      { title: 'Tests', applies: always, run: checkTests },
    ],
    [
      // The graph of projects that this leaves is what Lint judges imports between them by.
      { title: 'References', applies: forAll, run: checkReferences },
      { title: 'Lint', applies: always, run: checkLint },
      { title: 'Format', applies: always, run: checkFormat },
      { title: 'Types and build', applies: always, run: checkTypes },
      { title: 'Production build starts', applies: forAll, run: checkBoot },
    ],
  ],
  // Last: it reads what all of the above left.
  [[{ title: 'No secret in the logs', applies: startsServices, run: checkLogs }]],
];

/** A suite of its own, for all projects; it ends by searching what was logged. */
const suite = (title: string, run: Check['run']): Stages => [
  [[{ title, applies: forAll, run }]],
  [[{ title: 'No secret in the logs', applies: forAll, run: checkLogs }]],
];

/** What `npm run test:<name>` checks, by its name. */
export const suites = {
  slow: suite('Slow tests', checkSlow),
  // The pages of the console and the client, in a page of Chromium where there is one.
  browser: suite('Tests in a browser', configured('browser')),
  // What starts and kills whole services.
  system: suite('Tests of the whole system', configured('system')),
  // `npm start` in all its ways, backup and restore, and at full length what `npm test` tries in short.
  long: suite('What takes long', configured('long')),
  // Projects with its packages, and services that are new: they leave no log.
  downstream: [
    [[{ title: 'Projects and services of others', applies: forAll, run: configured('downstream') }]],
  ],
  chaos: suite('Deployments, crashes and bad networks', configured('chaos', { TEST_CHAOS: 'full' })),
} satisfies Readonly<Record<string, Stages>>;

/** What `npm run test:chaos -- --short` checks: each story told once, without those that take long. */
export const shortChaos = suite(
  'Deployments, crashes and bad networks',
  configured('chaos', { TEST_CHAOS: 'short' }),
);

/** Oxlint judges the code, ESLint who may import what. */
async function checkLint(context: CheckContext, show: Show): Promise<string[]> {
  const args = [context.project ?? '.'];
  // Its compiler is a Go program: on two cores it learns each type twice, and it collects garbage early and often.
  const env = { GOMAXPROCS: '1', GOGC: '200' };
  const code = await runBeside(context, { script: 'node_modules/oxlint/bin/oxlint', args, env }, show);
  const imports = await runBeside(context, { script: 'node_modules/eslint/bin/eslint.js', args }, show);
  return code && imports ? [] : ['lint: see above'];
}

async function checkFormat(context: CheckContext, show: Show): Promise<string[]> {
  const args = ['--check', context.project ?? '.'];
  const ok = await runBeside(context, { script: 'node_modules/oxfmt/bin/oxfmt', args }, show);
  return ok ? [] : ['format: run npm run format'];
}

async function checkReferences(context: CheckContext, show: Show): Promise<string[]> {
  const args = ['sync:check'];
  const ok = await runBeside(context, { script: 'node_modules/nx/dist/bin/nx.js', args }, show);
  return ok ? [] : ['references between projects: run npx nx sync'];
}

/** One compilation of sources and tests; what it leaves in `dist` is the production build. */
async function checkTypes(context: CheckContext, show: Show): Promise<string[]> {
  // The tests have the other cores meanwhile.
  const args = ['--build', '--singleThreaded', join(context.project ?? '.', 'tsconfig.json')];
  // It needs most of its heap until it ends: collecting garbage less often saves a quarter of its time.
  const env = { GOGC: '400' };
  const ok = await runBeside(context, { script: 'node_modules/@typescript/native/bin/tsc', args, env }, show);
  return ok ? [] : ['types: see above'];
}

async function checkMigrations(context: CheckContext, show: Show): Promise<string[]> {
  const service = context.project === undefined ? [] : [context.project.replace(/^apps\//, '')];
  const args = ['--check', ...service];
  const ok = await run(context, { script: 'tools/src/migrate/main.ts', args }, show);
  return ok ? [] : ['migrations and schema disagree: see above'];
}

function hasDatabase({ services, project }: CheckContext): boolean {
  return services.some(
    ({ name, hasDatabase: has }) => has && (project === undefined || project === `apps/${name}`),
  );
}

/** All projects in one run of Vitest, without what is slow; or all of one project. */
function checkTests(context: CheckContext, show: Show): Promise<readonly string[]> {
  const args = ['run', '--passWithNoTests'];
  if (context.project !== undefined)
    return vitest(context, { args, only: [`${context.project}/test`] }, show);
  return vitest(context, { args, env: { TEST_LEAVES_OUT_SLOW: '1' } }, show);
}

/** What takes too long for `npm test`. */
async function checkSlow(context: CheckContext, show: Show): Promise<readonly string[]> {
  const { slowFiles } = (await import(
    pathToFileURL(join(context.workspaceRoot, 'vitest.slow.mjs')).href
  )) as {
    slowFiles: readonly string[];
  };
  return vitest(context, { args: ['run'], only: slowFiles }, show);
}

/** Runs Vitest by a configuration of its own. */
function configured(name: string, env: Readonly<Record<string, string>> = {}): Check['run'] {
  const args = ['run', '--config', `vitest.${name}.config.mjs`];
  return (context, show) => vitest(context, { args, env }, show);
}

/** A run of Vitest. */
interface TestRun {
  readonly args: readonly string[];
  /** Default: all that the configuration names. */
  readonly only?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** If more files fail than this, it is not by chance. */
const repeatedMax = 10;

/**
 * Runs tests. Files that fail are run once more, one at a time, and the second result counts: with thousands of tests that wait
 * for clocks, processes and databases, one fails now and then because the machine pauses. The summary names them nonetheless
 * (CONTRIBUTING.md).
 */
async function vitest(
  context: CheckContext,
  { args, only = [], env = {} }: TestRun,
  show: Show,
): Promise<readonly string[]> {
  const script = 'node_modules/vitest/vitest.mjs';
  const stray: string[] = [];
  const showAndWatch = (line: string) => {
    if (line.includes('Unhandled Errors')) stray.push(line);
    show(line);
  };
  const ok = await run(context, { script, args: [...args, ...only], env }, showAndWatch);
  const failed = failedFiles(readReport(context));
  if (ok || failed.length === 0) return ok ? [] : ['tests: see above'];
  if (stray.length > 0 || failed.length > repeatedMax) return failed;
  show(`\nOnce more, by themselves: ${failed.join(', ')}`);
  const report = `--outputFile.json=${join(context.results, reportNames.second)}`;
  const again = [...args, '--no-file-parallelism', report, ...failed];
  const isWell = await run(context, { script, args: again, env: { ...env, TEST_SECOND_RUN: '1' } }, show);
  const failedAgain = failedFiles(readReport(context));
  return isWell || failedAgain.length > 0 ? failedAgain : ['tests: see above'];
}

/** Gives way to the tests, whose patience is limited. */
function runBeside(context: CheckContext, command: Command, show: Show) {
  return run(context, { ...command, isPatient: true }, show);
}

function run({ workspaceRoot, databaseAdminUrl, signal }: CheckContext, command: Command, show: Show) {
  const env = {
    // The daemon of Nx would outlive this run, and a process for each of its plugins costs more than it does.
    ...{ NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' },
    TEST_DATABASE_ADMIN_URL: databaseAdminUrl,
    ...command.env,
  };
  return runCommand({ ...command, script: join(workspaceRoot, command.script), env }, { show, signal });
}

/** Runs the production build with plain Node and as in production, until every service is ready. */
async function checkBoot({ workspaceRoot, results, signal }: CheckContext, show: Show): Promise<string[]> {
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
    show('Every service is ready when run from its build.');
    return [];
  } catch (error) {
    signal.throwIfAborted();
    show(log.text() + (error as Error).message);
    return [`production build: ${(error as Error).message.split('\n')[0] ?? ''}`];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
