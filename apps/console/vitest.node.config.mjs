import { projectTests } from '../../vitest.shared.mjs';

/** The rules of the console, which need no browser. */
export default projectTests(import.meta.dirname);
