import { defineConfig } from 'vitest/config';
import { databaseTests, LongestFirst } from './vitest.shared.mjs';

/** The projects of `npm run test:system`, and which of their tests do in full there what `npm test` tries in short. */
const projects = {
  'apps/auth-service': ['test/refresh.model.test.ts'],
  'apps/leads-service': ['test/import.test.ts'],
  'libs/dev-database': [],
  'libs/jwt-verify': [],
  'libs/money': ['test/totals.test.ts'],
  'libs/service-kit': ['test/requests.test.ts'],
  'libs/service-tests': [],
  tools: ['test/matrix-malformed.test.ts'],
};

/** Whole services and programs as processes of their own, started, killed and started again; and long properties. */
export default defineConfig({
  test: {
    projects: Object.entries(projects).map(([folder, inFull]) => {
      const { test, ...shared } = databaseTests(`${import.meta.dirname}/${folder}`);
      const include = ['test-system/**/*.test.ts', ...inFull];
      return {
        ...shared,
        test: { ...test, include, isolate: true, env: { ...test.env, TEST_THOROUGH: '1' } },
      };
    }),
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
