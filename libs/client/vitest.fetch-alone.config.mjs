import { projectTests } from '../../vitest.shared.mjs';

const { test, ...shared } = projectTests(import.meta.dirname);

/** The guarantees where there is `fetch` and little else, as in React Native: no locks, channels, streams or crypto. */
export default {
  ...shared,
  test: {
    ...test,
    name: `${test.name} (fetch alone)`,
    setupFiles: [...test.setupFiles, `${import.meta.dirname}/test/support/fetch-alone.ts`],
  },
};
