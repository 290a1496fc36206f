export { statementProblems } from './statement-problems.ts';
export type { StatementProblemsOptions } from './statement-problems.ts';
