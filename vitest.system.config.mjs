import { defineConfig } from 'vitest/config';
import { runLimits } from './vitest.limits.mjs';
import { byRank } from './vitest.sequence.mjs';
import { systemTests } from './vitest.shared.mjs';

/** What asks services and leaves them as they are: all of it asks the same ones. */
const ofSharedServices = [
  'matrix',
  'matrix-audit',
  'matrix-late-bodies',
  'matrix-malformed',
  'matrix-saml',
  'matrix-scim',
  'users-contract',
].map((name) => `test-system/${name}.test.ts`);

/** What starts the whole of Tenantry, or installs it elsewhere, takes longest: begun last, it would leave a worker waiting for it. */
const longestFirst = byRank(({ moduleId }) => {
  if (/\/tools\/.*\/(start|console-quotes|matrix-malformed)\.test/.test(moduleId)) return 0;
  return /\/tools\//.test(moduleId) ? 1 : 2;
});

/** Whole services and programs as processes of their own, started, killed and started again. */
export default defineConfig({
  test: {
    projects: [
      systemTests('tools', ({ name, globalSetup }) => ({
        name: `${name} (matrix)`,
        include: ofSharedServices,
        globalSetup: [...globalSetup, `${import.meta.dirname}/tools/test-system/matrix/global-setup.ts`],
      })),
      systemTests('tools', () => ({ include: ['test-system/**/*.test.ts'], exclude: ofSharedServices })),
      systemTests('libs/service', () => ({ include: ['test-system/**/*.test.ts'] })),
    ],
    ...runLimits,
    sequence: { sequencer: longestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
