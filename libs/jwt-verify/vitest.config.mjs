import { projectTests } from '../../vitest.shared.mjs';

const { test, resolve, ssr, ...shared } = projectTests(import.meta.dirname);
const { include, ...settings } = test;

/** What also runs as where there is no Node.js: on WebCrypto and fetch, without a background. */
const everywhere = ['access', 'adapters', 'issuers', 'mutations', 'on-demand', 'vectors', 'web'];

/** The runtime whose `imports` of package.json are taken, before those of Node.js. */
const withConditions = (...more) => ({
  resolve: { conditions: [...more, ...resolve.conditions] },
  ssr: { resolve: { conditions: [...more, ...ssr.resolve.conditions] } },
});

export default {
  ...shared,
  test: {
    ...settings,
    projects: [
      { extends: true, ...withConditions(), test: { name: 'node', include } },
      {
        extends: true,
        ...withConditions('workerd'),
        test: { name: 'web', include: everywhere.map((name) => `test/${name}.test.ts`) },
      },
    ],
  },
};
