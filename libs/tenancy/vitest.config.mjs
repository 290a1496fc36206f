import { databaseTests } from '../../vitest.shared.mjs';

const { test, ...shared } = databaseTests(import.meta.dirname);

// Each file defines statements of its own, and a process takes each name once.
export default { ...shared, test: { ...test, isolate: true } };
