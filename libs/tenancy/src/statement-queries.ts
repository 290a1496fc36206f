import { channel } from 'node:diagnostics_channel';
import { TenancyError } from './errors.ts';
import { valuesOf, type Query } from './protocol/query.ts';
import { isoTimesForm, plainForm } from './protocol/row-reader.ts';
import type { Scope } from './scope.ts';
import type { Statement } from './statement.ts';

/** A statement as it is sent in a scope: with its owner in the scope, if it has one, as the first value. */
export function queryOf(
  scope: Scope,
  { name, text, owner, times }: Statement<unknown, never>,
  values: readonly unknown[],
): Query {
  const form = times === 'text' ? isoTimesForm : plainForm;
  if (owner === 'unscoped') return { name, label: name, text, values: valuesOf(values), form };
  const id = owner === 'organization' ? scope.organizationId : scope.userId;
  if (id === undefined) {
    throw new TenancyError('SCOPE_REQUIRED', `The statement ${name} needs a scope that names its ${owner}.`);
  }
  return { name, label: name, text, values: [id, ...valuesOf(values)], form };
}

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
