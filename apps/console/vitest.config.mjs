import { defineConfig } from 'vitest/config';
import { hasChromium } from '../../vitest.chromium.mjs';

export default defineConfig({
  test: { projects: ['vitest.node.config.mjs', ...(hasChromium ? ['vitest.chromium.config.mjs'] : [])] },
});
