import { channel } from 'node:diagnostics_channel';
import type { Statement } from './statement.ts';

/** Where tests learn what statements answer, to compare it with their types. */
const answered = channel('tenantry.answered-rows');

/** The rows that PostgreSQL has answered to a statement, by the type that it has. */
export function answeredRows<Row>(
  statement: Pick<Statement<Row, never>, 'name' | 'text' | 'times' | 'described'>,
  rows: unknown[],
): Row[] {
  if (answered.hasSubscribers) answered.publish({ statement, rows });
  return rows as Row[];
}
