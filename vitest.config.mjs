import { defineConfig } from 'vitest/config';
import { databaseTests } from './vitest.shared.mjs';

/** What defines SQL statements has a process of its own: the judge of statements looks at all that are defined in it. */
const ofTheirOwn = ['apps/*-service', 'libs/outbox', 'libs/service-tests'];

const { test, ...shared } = databaseTests(import.meta.dirname);

/** All others share theirs: a worker that starts loads half of Tenantry. */
const together = {
  ...shared,
  test: {
    ...test,
    name: 'together',
    include: ['{apps,libs}/*/test/**/*.test.ts', '{bench,tools}/test/**/*.test.ts'],
    exclude: ofTheirOwn.map((project) => `${project}/**`),
  },
};

/** The tests of all projects in one run: a worker that is done with one project goes on with the next. */
export default defineConfig({
  test: {
    projects: [
      ...ofTheirOwn.map((project) => `${project}/vitest.config.mjs`),
      'libs/jwt-verify/vitest.web.config.mjs',
      together,
    ],
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
