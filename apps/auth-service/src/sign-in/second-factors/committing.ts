import { ApiError } from '@tenantry/envelope';
import type { AuthDatabase, Transaction } from '../../database.ts';

/** Commits what `work` did, and only then throws the refusal that it returned: wrong codes stay counted. */
export async function committing<Result extends object>(
  scope: ReturnType<AuthDatabase['within']>,
  work: (tx: Transaction) => Promise<Result | ApiError>,
): Promise<Result> {
  const result = await scope.transaction(work);
  if (result instanceof ApiError) throw result;
  return result;
}
