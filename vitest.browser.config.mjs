import { defineConfig } from 'vitest/config';
import { hasChromium } from './vitest.chromium.mjs';
import { runLimits } from './vitest.limits.mjs';
import { byRank } from './vitest.sequence.mjs';

if (!hasChromium) console.info('No Chromium on this machine: the tests in a real browser are left out.');

// For the projects below, which this process reads: every page and state in both schemes, at both widths and in longer words.
process.env.TEST_THOROUGH = '1';

/** Comparing pictures leaves a timer of its limit behind, which Vitest would wait for at the end. */
const picturesFirst = byRank(({ moduleId }) => (moduleId.includes('/pictures.') ? 0 : 1));

/** What runs in a page of a real Chromium: the console, and the client beside another tab. */
export default defineConfig({
  test: {
    ...(hasChromium
      ? { projects: ['apps/console', 'libs/client'].map((folder) => `${folder}/vitest.chromium.config.mjs`) }
      : { include: [], passWithNoTests: true }),
    ...runLimits,
    sequence: { sequencer: picturesFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
