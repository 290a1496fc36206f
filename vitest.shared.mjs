import { readFileSync, rmSync } from 'node:fs';

/**
 * The Vitest configuration every project shares: unbuilt sources, one report per project.
 * @param {string} projectRoot
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function projectTests(projectRoot) {
  const { name } = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8'));
  return {
    root: projectRoot,
    cacheDir: `${projectRoot}/node_modules/.vite`,
    ssr: { resolve: { conditions: ['@tenantry/source'] } },
    resolve: { conditions: ['@tenantry/source'] },
    test: {
      include: ['test/**/*.test.ts'],
      testTimeout: 30_000,
      hookTimeout: 60_000,
      maxWorkers: 2,
      reporters: ['default', 'json'],
      outputFile: { json: `${import.meta.dirname}/test-results/${name}.json` },
      // What services log under test goes there (testLog of @tenantry/test-kit), and `npm test` searches it for secrets.
      env: { TEST_LOG_DIRECTORY: `${import.meta.dirname}/test-results/logs/${name}` },
      globalSetup: [`${import.meta.dirname}/vitest.shared.mjs`],
    },
  };
}

/**
 * Vitest global setup: the log lines of an earlier run must not count.
 * @param {import('vitest/node').TestProject} project
 */
export function setup({ config }) {
  rmSync(config.env.TEST_LOG_DIRECTORY, { recursive: true, force: true });
}
