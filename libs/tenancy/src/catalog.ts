import type { Pool } from 'pg';

/** What {@link catalogProblems} may be told. */
export interface CatalogOptions {
  /** The role that the service runs as; default: the role of the connection. */
  readonly runtimeRole?: string;
}

/**
 * Reads pg_catalog and names everything by which a tenant's rows could be reached past row-level security: a table
 * with `organization_id` whose policies are missing, not forced or not complete, a unique or foreign key that leaves
 * the organization out, a materialized copy, a runtime role that owns or bypasses something.
 *
 * An empty list is what a service's catalog test expects.
 */
export async function catalogProblems(
  pool: Pick<Pool, 'query'>,
  { runtimeRole }: CatalogOptions = {},
): Promise<string[]> {
  const problems: string[] = [];
  for (const question of [tables, policies, uniqueKeys, foreignKeys]) {
    const { rows } = await pool.query<{ problem: string }>(question);
    problems.push(...rows.map(({ problem }) => problem));
  }
  const { rows } = await pool.query<{ problem: string }>(roles, [runtimeRole ?? null]);
  return [...problems, ...rows.map(({ problem }) => problem)];
}

const tenantTables = `
  SELECT c.oid, c.oid::regclass AS name, c.relkind, c.relrowsecurity, c.relforcerowsecurity, a.attnum
  FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p', 'm') AND c.relnamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema')`;

const tables = `
  WITH tenant AS (${tenantTables})
  SELECT CASE
    WHEN relkind = 'm' THEN format('%s is a materialized view: row-level security does not reach it', name)
    WHEN NOT relrowsecurity THEN format('%s has no row-level security', name)
    WHEN NOT relforcerowsecurity THEN format('%s does not force row-level security on its owner', name)
    ELSE format('%s has no policy with USING and WITH CHECK for every command', name)
  END AS problem
  FROM tenant t
  WHERE relkind = 'm' OR NOT relrowsecurity OR NOT relforcerowsecurity OR NOT EXISTS (
    SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND (p.polcmd = '*' OR (
      SELECT count(DISTINCT q.polcmd) = 4 FROM pg_policy q WHERE q.polrelid = t.oid AND q.polcmd IN ('r', 'a', 'w', 'd')
    )))
  ORDER BY 1`;

// The functions of sql/tenancy.sql.
const scopeQuestion = String.raw`\mapp\.(current_(organization|user)_id|(organization|user)_id_in_scope)\(`;

const policies = `
  WITH tenant AS (${tenantTables}), policy AS (
    SELECT t.name, p.polname, p.polcmd,
      coalesce(pg_get_expr(p.polqual, p.polrelid), '') AS reads,
      coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '') AS writes
    FROM tenant t JOIN pg_policy p ON p.polrelid = t.oid AND p.polpermissive
  )
  SELECT format('policy %s of %s does not ask for the scope in %s', polname, name, part) AS problem
  FROM policy, LATERAL (VALUES
    ('USING', polcmd <> 'a' AND reads !~ '${scopeQuestion}'),
    ('WITH CHECK', polcmd NOT IN ('r', 'd') AND writes !~ '${scopeQuestion}')
  ) AS parts (part, wrong)
  WHERE wrong
  ORDER BY 1`;

const uniqueKeys = `
  WITH tenant AS (${tenantTables})
  SELECT format('unique index %s of %s leaves organization_id out', i.indexrelid::regclass, t.name) AS problem
  FROM tenant t JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
  WHERE t.attnum <> ALL ((string_to_array(i.indkey::text, ' ')::int2[])[1:i.indnkeyatts])
  ORDER BY 1`;

const foreignKeys = `
  WITH tenant AS (${tenantTables})
  SELECT format('foreign key %s of %s leaves organization_id out', k.conname, own.name) AS problem
  FROM pg_constraint k
  JOIN tenant own ON own.oid = k.conrelid
  JOIN tenant other ON other.oid = k.confrelid
  WHERE k.contype = 'f' AND array_position(k.conkey, own.attnum) IS DISTINCT FROM array_position(k.confkey, other.attnum)
     OR k.contype = 'f' AND array_position(k.conkey, own.attnum) IS NULL
  ORDER BY 1`;

const roles = `
  WITH runtime AS (SELECT * FROM pg_roles WHERE rolname = coalesce($1, current_user)),
  owned AS (
    SELECT format('table %s', oid::regclass) AS what, relowner AS owner FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL SELECT format('function %s', oid::regprocedure), proowner FROM pg_proc
    UNION ALL SELECT format('schema %s', nspname), nspowner FROM pg_namespace
    UNION ALL SELECT format('database %s', datname), datdba FROM pg_database
  )
  SELECT format('role %s may bypass row-level security', rolname) AS problem FROM runtime WHERE rolsuper OR rolbypassrls
  UNION ALL SELECT format('role %s may create roles', rolname) FROM runtime WHERE rolcreaterole
  UNION ALL SELECT format('role %s owns %s', rolname, what) FROM runtime JOIN owned ON pg_has_role(runtime.oid, owner, 'MEMBER')
  WHERE NOT rolsuper
  ORDER BY 1`;
