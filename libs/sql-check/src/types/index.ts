export { misfits, rowTypes, statementTypes } from './statement-types.ts';
export type { RowTypes } from './statement-types.ts';
export type { StatementText } from '../statement-text.ts';
