import { flushCompileCache } from 'node:module';
import { join, relative, sep } from 'node:path';
import { afterAll, expect } from 'vitest';

// What services log under test goes there (testLog of @tenantry/test-kit), and `npm test` searches it for secrets.
const [kind, name] = relative(import.meta.dirname, expect.getState().testPath).split(sep);
process.env.TEST_LOG_DIRECTORY = join(import.meta.dirname, 'test-results/logs', kind, name);

// A worker is ended by a signal, which leaves the cache unwritten; the next one would compile everything again.
afterAll(() => flushCompileCache());
