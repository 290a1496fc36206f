import { defineConfig } from 'vitest/config';
import { limits, runLimits } from './vitest.limits.mjs';
import { byRank } from './vitest.sequence.mjs';
import { databaseTests } from './vitest.shared.mjs';

/** The projects of `npm run test:system`, and which of their tests do in full there what `npm test` tries in short. */
const projects = {
  'apps/auth-service': ['test/refresh.model.test.ts'],
  'apps/leads-service': ['test/import.test.ts'],
  'apps/quotation-service': [],
  'libs/dev-database': [],
  'libs/money': ['test/totals.test.ts'],
  'libs/service': ['test/requests.test.ts'],
  'libs/service-tests': [],
  tools: [],
};

/** What asks services and leaves them as they are: all of it asks the same ones. */
const ofSharedServices = [
  'matrix',
  'matrix-audit',
  'matrix-late-bodies',
  'matrix-malformed',
  'users-contract',
].map((name) => `test-system/${name}.test.ts`);

const standardPort = `${import.meta.dirname}/tools/test/support/standard-port.ts`;

/** Each starts up to a dozen processes. Vitest requires one number for all projects. */
const maxWorkers = 3;

function systemTests(folder, changed) {
  const { test, ...shared } = databaseTests(`${import.meta.dirname}/${folder}`);
  return {
    ...shared,
    test: {
      ...{ ...test, ...limits(300_000), isolate: true, maxWorkers },
      ...{ env: { TEST_THOROUGH: '1' }, ...changed(test) },
    },
  };
}

/** What starts the whole of Tenantry, or installs it elsewhere, takes longest: begun last, it would leave a worker waiting for it. */
const longestFirst = byRank(({ moduleId }) => {
  if (/\/tools\/.*\/(start|start-together|matrix-malformed)\.test/.test(moduleId)) return 0;
  return /\/tools\//.test(moduleId) ? 1 : 2;
});

/** Whole services and programs as processes of their own, started, killed and started again; and long properties. */
export default defineConfig({
  test: {
    projects: [
      systemTests('tools', ({ name, globalSetup }) => ({
        name: `${name} (matrix)`,
        include: ofSharedServices,
        globalSetup: [...globalSetup, `${import.meta.dirname}/tools/test-system/matrix/global-setup.ts`],
      })),
      ...Object.entries(projects).map(([folder, inFull]) =>
        systemTests(folder, ({ globalSetup }) => ({
          include: ['test-system/**/*.test.ts', ...inFull],
          ...(folder === 'tools' && {
            exclude: ofSharedServices,
            globalSetup: [...globalSetup, standardPort],
          }),
        })),
      ),
    ],
    ...runLimits,
    sequence: { sequencer: longestFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
});
