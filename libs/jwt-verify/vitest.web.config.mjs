import { projectTests } from '../../vitest.shared.mjs';

/** What also runs as where there is no Node.js: on WebCrypto and fetch, without a background. */
const everywhere = [
  'access',
  'adapters',
  'issuers',
  'mutations',
  'on-demand',
  'realms',
  'testing',
  'vectors',
  'web',
];

const { test, ...shared } = projectTests(import.meta.dirname);

export default {
  ...shared,
  test: {
    ...test,
    // The runtime whose `imports` of package.json are taken, before those of Node.js.
    execArgv: ['--conditions=workerd', ...test.execArgv],
    name: `${test.name} (web)`,
    include: everywhere.map((name) => `test/${name}.test.ts`),
  },
};
