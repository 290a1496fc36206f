import { databaseTests } from './vitest.shared.mjs';

const { test, ...shared } = databaseTests(`${import.meta.dirname}/tools`);

/**
 * The tests of `npm run test:system`: whole services as processes, started and killed, and at full length what `npm test`
 * tries in short (files that ask `thorough` of test-kit how often).
 */
export default {
  ...shared,
  root: import.meta.dirname,
  test: {
    ...test,
    include: [
      'tools/test-system/**/*.test.ts',
      'tools/test/matrix-malformed.test.ts',
      'apps/auth-service/test/refresh.model.test.ts',
      'apps/leads-service/test/import.test.ts',
      'libs/money/test/totals.test.ts',
      'libs/service-kit/test/requests.test.ts',
    ],
    env: { ...test.env, TEST_THOROUGH: '1' },
    maxWorkers: 3,
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
};
