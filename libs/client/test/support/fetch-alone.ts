import { afterAll, beforeAll, vi } from 'vitest';

beforeAll(() => {
  for (const name of ['navigator', 'BroadcastChannel', 'ReadableStream', 'crypto', 'document']) {
    vi.stubGlobal(name, undefined);
  }
});
afterAll(() => vi.unstubAllGlobals());
