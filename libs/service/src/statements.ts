import { describedStatements } from '@tenantry/tenancy';
import type { Statements } from './statements.types.ts';

/** Defines a statement, typed by its name. */
export const { statement, unscopedStatement } = describedStatements<Statements>('service');
