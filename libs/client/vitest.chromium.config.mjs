import { chromiumTests } from '../../vitest.chromium.mjs';

const { test, ...shared } = chromiumTests(import.meta.dirname);

/** The guarantees in a page, which has tabs beside it. */
export default { ...shared, test: { ...test, include: ['test/**/*.test.ts'] } };
