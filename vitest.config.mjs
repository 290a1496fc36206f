import { defineConfig } from 'vitest/config';
import { runLimits } from './vitest.limits.mjs';
import { byRank } from './vitest.sequence.mjs';
import { databaseTests } from './vitest.shared.mjs';

const { test, ...shared } = databaseTests(import.meta.dirname);

/** All share their workers: one that starts loads half of Tenantry. */
const together = {
  ...shared,
  test: {
    ...test,
    name: 'together',
    include: ['{apps,libs}/*/test/**/*.test.ts', '{bench,tools,tools/service-template}/test/**/*.test.ts'],
  },
};

/** Tests that wait for clocks and sockets go first, while lint and types need the processor: services wait least. */
const ofServices = /\/(?:apps\/[^/]+-service|libs\/service-tests|tools\/service-template)\//;
const waitingFirst = byRank(({ moduleId }) => (ofServices.test(moduleId) ? 1 : 0));

/** The tests of all projects in one run. Those in a browser have a run of their own. */
export default defineConfig({
  test: {
    projects: [
      'libs/jwt-verify/vitest.web.config.mjs',
      'libs/client/vitest.fetch-alone.config.mjs',
      together,
    ],
    ...runLimits,
    sequence: { sequencer: waitingFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
