import { databaseTests } from '../../vitest.shared.mjs';

export default databaseTests(import.meta.dirname);
