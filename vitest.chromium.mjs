import { readFileSync } from 'node:fs';
import { playwright } from '@vitest/browser-playwright';
import { findChromium } from './tools/test/support/chromium.ts';
import { limit, limits, runLimits } from './vitest.limits.mjs';
import { maxWorkers } from './vitest.shared.mjs';

/** Where tests in a real browser run: in CI a machine without one is a fault, and no reason to leave them out. */
export const hasChromium = findChromium() !== undefined || process.env['CI'] !== undefined;

/**
 * The tests of a project in a page of a real Chromium.
 * @param {string} projectRoot
 * @returns {import('vitest/config').ViteUserConfig}
 */
export function chromiumTests(projectRoot) {
  const { name } = JSON.parse(readFileSync(`${projectRoot}/package.json`, 'utf8'));
  const launchOptions = { executablePath: findChromium(), args: ['--no-sandbox'] };
  return {
    root: projectRoot,
    cacheDir: `${projectRoot}/node_modules/.vite`,
    resolve: { conditions: ['@tenantry/source', 'module', 'browser', 'development'] },
    test: {
      name: `${name} (Chromium)`,
      maxWorkers,
      ...limits(120_000),
      browser: {
        enabled: true,
        headless: true,
        ...runLimits.browser,
        screenshotFailures: false,
        // Without one, what is not found is waited for until the test itself ends.
        provider: playwright({ launchOptions, actionTimeout: limit(30_000) }),
        instances: [{ browser: 'chromium' }],
      },
    },
  };
}
