import { limits } from './vitest.limits.mjs';
import { projectTests } from './vitest.shared.mjs';

const { test, ...shared } = projectTests(`${import.meta.dirname}/tools`);

/** What others build on this checkout: services that `npm run new-service` makes, and projects that install its packages. */
export default {
  ...shared,
  test: {
    ...test,
    include: ['test-downstream/**/*.test.ts'],
    isolate: true,
    ...limits(600_000),
    maxWorkers: 2,
    reporters: ['default', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
};
