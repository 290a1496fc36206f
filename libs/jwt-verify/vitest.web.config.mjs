import { projectTests } from '../../vitest.shared.mjs';

/** What also runs as where there is no Node.js: on WebCrypto and fetch, without a background. */
const everywhere = ['access', 'adapters', 'issuers', 'mutations', 'on-demand', 'vectors', 'web'];

const { test, resolve, ssr, ...shared } = projectTests(import.meta.dirname);

/** The runtime whose `imports` of package.json are taken, before those of Node.js. */
const conditions = ['workerd', ...resolve.conditions];

export default {
  ...shared,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    ...test,
    execArgv: conditions.map((condition) => `--conditions=${condition}`),
    name: `${test.name} (web)`,
    include: everywhere.map((name) => `test/${name}.test.ts`),
  },
};
