import { projectTests } from '../../vitest.shared.mjs';

const { test, ...shared } = projectTests(import.meta.dirname);

// Each file has a service of its own, and rows are compared with their types by the names of statements alone.
export default { ...shared, test: { ...test, isolate: true } };
