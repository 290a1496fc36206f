import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { projects: ['vitest.node.config.mjs', 'vitest.fetch-alone.config.mjs'] },
});
