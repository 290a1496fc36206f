import { mergeConfig } from 'vitest/config';
import { databaseTests } from '../../vitest.shared.mjs';

export default mergeConfig(databaseTests(import.meta.dirname), {
  test: {
    // Files share nothing but loaded modules: each has its own database.
    isolate: false,
  },
});
