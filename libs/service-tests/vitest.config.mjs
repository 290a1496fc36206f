import { projectTests } from '../../vitest.shared.mjs';

const { test, ...shared } = projectTests(import.meta.dirname);

// Each file has a service of its own, and the judge of statements looks at all that a process defines.
export default { ...shared, test: { ...test, isolate: true } };
