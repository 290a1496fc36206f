import { limits } from '../../vitest.limits.mjs';

/** The guarantees on the oldest Node.js that is supported, which loads no TypeScript by itself. */
export default {
  root: import.meta.dirname,
  resolve: { conditions: ['@tenantry/source'] },
  ssr: { resolve: { conditions: ['@tenantry/source'] } },
  test: { include: ['test/**/*.test.ts'], ...limits(120_000) },
};
