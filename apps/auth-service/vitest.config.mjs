import { mergeConfig } from 'vitest/config';
import { projectTests } from '../../vitest.shared.mjs';

export default mergeConfig(projectTests(import.meta.dirname), {
  test: {
    globalSetup: ['@tenantry/test-kit/global-setup'],
    // Files share nothing but loaded modules: each has its own database.
    isolate: false,
  },
});
