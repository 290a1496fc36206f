import { flushCompileCache } from 'node:module';
import { join, relative, sep } from 'node:path';
import { afterAll, expect } from 'vitest';

// What services log under test goes there (testLog of @tenantry/test-kit), and `npm test` searches it for secrets.
const [kind, project] = relative(import.meta.dirname, expect.getState().testPath).split(sep);
const folder = kind === 'apps' || kind === 'libs' ? join(kind, project) : kind;
process.env.TEST_LOG_DIRECTORY = join(import.meta.dirname, 'test-results/logs', folder);

// A worker is ended by a signal, which leaves the cache unwritten; the next one would compile everything anew.
afterAll(() => flushCompileCache());
