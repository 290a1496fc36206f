import { limits } from '../vitest.limits.mjs';
import { projectTests } from '../vitest.shared.mjs';

const { test, ...shared } = projectTests(import.meta.dirname);

/** The tests of npm run test:images: they need a Docker engine, and images that have just been built. */
export default {
  ...shared,
  test: {
    ...test,
    include: ['test-images/**/*.test.ts'],
    ...limits(300_000),
    maxWorkers: 1,
    reporters: ['default'],
  },
};
