import { defineConfig } from 'vitest/config';
import { runLimits } from './vitest.limits.mjs';
import { byRank } from './vitest.sequence.mjs';
import { databaseTests } from './vitest.shared.mjs';

/** What defines SQL statements has a process of its own: rows are compared with their types by the names of statements alone. */
const ofTheirOwn = ['apps/*-service', 'libs/service', 'libs/service-tests', 'tools/service-template'];

const { test, ...shared } = databaseTests(import.meta.dirname);

/** All others share theirs: a worker that starts loads half of Tenantry. */
const together = {
  ...shared,
  test: {
    ...test,
    name: 'together',
    include: ['{apps,libs}/*/test/**/*.test.ts', '{bench,tools}/test/**/*.test.ts'],
    exclude: [...test.exclude, ...ofTheirOwn.map((project) => `${project}/**`)],
  },
};

/** Tests that wait for clocks and sockets go first, while lint and types need the processor. */
const waitingFirst = byRank(({ project: { name } }) =>
  [together.test.name, '@tenantry/service'].includes(name) ? 0 : 1,
);

/**
 * The tests of all projects in one run: a worker that is done with one project continues with the next. Those in a browser
 * have a run of their own.
 */
export default defineConfig({
  test: {
    projects: [
      ...ofTheirOwn.map((project) => `${project}/vitest.config.mjs`),
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
