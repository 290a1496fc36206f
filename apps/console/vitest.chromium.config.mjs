import react from '@vitejs/plugin-react';
import { chromiumTests } from '../../vitest.chromium.mjs';
import { limits } from '../../vitest.limits.mjs';

const { test, ...shared } = chromiumTests(import.meta.dirname);
const inFull = { ...limits(300_000), env: { TEST_THOROUGH: '1' } };

/** Pages and their parts in a browser, with an API that answers what a test says. */
export default {
  ...shared,
  plugins: [react()],
  // One that is found while tests run would load their page again.
  optimizeDeps: { include: ['axe-core', 'unpdf/pdfjs'] },
  test: { ...test, include: ['test/**/*.test.tsx'], ...(process.env.TEST_THOROUGH && inFull) },
};
