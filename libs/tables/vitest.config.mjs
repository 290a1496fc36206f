import { projectTests } from '../../vitest.shared.mjs';

export default projectTests(import.meta.dirname);
