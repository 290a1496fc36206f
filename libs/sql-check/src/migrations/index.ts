export { migrationProblems } from './migration-problems.ts';
export type { Migration } from './migration-problems.ts';
