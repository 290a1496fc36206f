import type { Pool } from 'pg';
import { functions } from './functions.ts';
import { grants } from './grants.ts';
import { keys } from './keys.ts';
import { policies } from './policies.ts';
import { roles } from './roles.ts';
import { search } from './search.ts';
import { tables } from './tables.ts';

/** What {@link catalogProblems} needs to know of a database. */
export interface CatalogOptions {
  /** The role that the service runs as; default: the role of the connection. */
  readonly runtimeRole?: string;
  /** Tables whose rows belong to no tenant, each with the reason why: `{ countries: 'the same for everyone' }`. */
  readonly unscoped?: Reasons;
  /** Problems that you accept, word for word, each with the reason why. */
  readonly accepted?: Reasons;
}

type Reasons = Readonly<Record<string, string>>;

const questions = [...tables, ...policies, ...keys, ...functions, ...grants, ...roles, ...search];

/**
 * Reads pg_catalog and names everything by which a tenant's rows could be reached past row-level security, or which
 * would keep a tenant from moving to another server. Deny by default: a table is scoped, or it is on the list.
 *
 * Names: tables that are neither scoped nor listed; row-level security that is missing or not forced; policies other
 * than the accepted forms, compared as PostgreSQL prints them; sequences; keys that do not begin with the owner; views,
 * functions, triggers and rules that run with their owner's rights; grants that pass row-level security; a runtime role
 * that owns or may bypass something; a role of searches that may do more than search. An accepted problem that no longer exists is named as well.
 *
 * An empty list is what a service's catalog test expects.
 */
export async function catalogProblems(
  pool: Pick<Pool, 'query'>,
  { runtimeRole, unscoped = {}, accepted = {} }: CatalogOptions = {},
): Promise<string[]> {
  const values = [Object.keys(unscoped), runtimeRole ?? null];
  const found: string[] = [];
  for (const question of questions) {
    const { rows } = await pool.query<{ problem: string }>(question, values);
    found.push(...rows.map(({ problem }) => problem).sort());
  }
  return [
    ...found.filter((problem) => !(problem in accepted)),
    ...unreasoned({ ...unscoped, ...accepted }),
    ...Object.keys(accepted)
      .filter((problem) => !found.includes(problem))
      .map((problem) => `accepted, but not found: ${problem}`),
  ];
}

function unreasoned(listed: Reasons): string[] {
  return Object.entries(listed)
    .filter(([, reason]) => reason.trim() === '')
    .map(([name]) => `${name} is listed without a reason`);
}
