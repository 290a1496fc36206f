import { limits } from './vitest.limits.mjs';
import { projectTests } from './vitest.shared.mjs';

const { test, ...shared } = projectTests(`${import.meta.dirname}/tools`);
/** `npm run test:chaos -- --short` has each story told once, and leaves out those that take long. */
const short = process.env.TEST_CHAOS === 'short';

/** What deployments, crashes and bad networks do to requests under way. One story at a time: each puts load on both cores. */
export default {
  ...shared,
  test: {
    ...test,
    include: ['test-chaos/**/*.test.ts'],
    isolate: true,
    ...limits(300_000),
    maxWorkers: 1,
    fileParallelism: false,
    env: { ...test.env, ...(short ? {} : { TEST_THOROUGH: '1' }) },
    reporters: ['verbose', 'json'],
    outputFile: { json: `${import.meta.dirname}/test-results/report.json` },
  },
};
