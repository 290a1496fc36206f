import { projectTests } from '../../vitest.shared.mjs';

const { test, ...shared } = projectTests(import.meta.dirname);

// Which certificates are trusted is the process's.
export default { ...shared, test: { ...test, isolate: true } };
