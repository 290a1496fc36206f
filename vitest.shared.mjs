import { readFileSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { configDefaults } from 'vitest/config';
import { limits } from './vitest.limits.mjs';
import { slowFiles } from './vitest.slow.mjs';

/** Packages of the workspace are loaded from their sources, built or not. */
const sources = '@tenantry/source';
// Vitest loads the global setup in the process that has read this.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, sources] }),
});

/** Tests wait for clocks, databases and processes about as long as they compute. Vitest asks each project, and all must agree. */
export const maxWorkers = Math.min(8, Math.ceil(1.5 * availableParallelism()));

/**
 * The Vitest configuration every project shares: unbuilt sources, and a folder for what services log.
 * @param {string} projectRoot
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function projectTests(projectRoot) {
  const { name } = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8'));
  return {
    root: projectRoot,
    cacheDir: `${projectRoot}/node_modules/.vite`,
    test: {
      name,
      // Node.js loads the sources by itself, as it does under npm start: they are not compiled a second time.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      execArgv: [`--conditions=${sources}`],
      // Files share loaded modules and nothing else.
      isolate: false,
      include: ['test/**/*.test.ts'],
      exclude: [...configDefaults.exclude, ...leftOut(projectRoot)],
      ...limits(120_000),
      maxWorkers,
      setupFiles: [`${import.meta.dirname}/vitest.setup.mjs`],
      globalSetup: [`${import.meta.dirname}/vitest.shared.mjs`],
    },
  };
}

/** Of a whole `npm test`, below a folder. */
const leftOut = (folder) =>
  process.env.TEST_LEAVES_OUT_SLOW
    ? slowFiles.map((file) => relative(folder, join(import.meta.dirname, file)))
    : [];

/**
 * The same for a project whose test files share one PostgreSQL.
 * @param {string} projectRoot
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function databaseTests(projectRoot) {
  const { test, ...shared } = projectTests(projectRoot);
  const startPostgres = `${import.meta.dirname}/libs/test-kit/src/global-setup.ts`;
  return { ...shared, test: { ...test, globalSetup: [...test.globalSetup, startPostgres] } };
}

/**
 * The same for tests that start whole services, up to a dozen processes each.
 * @param {string} folder below the root of the workspace
 * @param {(test: import('vitest/config').ViteUserConfig['test']) => import('vitest/config').ViteUserConfig['test']} changed
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function systemTests(folder, changed) {
  const { test, ...shared } = databaseTests(join(import.meta.dirname, folder));
  const standardPort = `${import.meta.dirname}/tools/test/support/standard-port.ts`;
  const globalSetup = folder === 'tools' ? [...test.globalSetup, standardPort] : test.globalSetup;
  const all = { ...test, globalSetup, ...limits(300_000), isolate: true, maxWorkers: 4 };
  return { ...shared, test: { ...all, ...changed(all) } };
}

/**
 * Vitest global setup: the log lines of an earlier run must not count, but for those of files that are run once more.
 * @param {import('vitest/node').TestProject} project
 */
export function setup({ config }) {
  if (process.env.TEST_SECOND_RUN) return;
  const logs = join(import.meta.dirname, 'test-results/logs', relative(import.meta.dirname, config.root));
  rmSync(logs, { recursive: true, force: true });
}
