/**
 * What every question to the catalog begins with. `$1` names the unscoped tables and `$2` the runtime role.
 *
 * - `given`: the two parameters, and the name of the role of searches
 * - `guest`: the runtime role, and the role of searches where there is one
 * - `relation`: every table and view of the database's own
 * - `scoped`: the tables whose rows have an owner, and the column that names it
 */
export const relations = `
  WITH given AS (
    SELECT $1::text[] || '_prisma_migrations'::text AS unscoped, coalesce($2::text, current_user) AS runtime,
      regexp_replace(coalesce($2::text, current_user), '_service$', '') || '_search' AS search
  ),
  guest AS (
    SELECT r.* FROM pg_roles r JOIN given ON r.rolname IN (given.runtime, given.search)
  ),
  relation AS (
    SELECT c.*, CASE n.nspname WHEN 'public' THEN c.relname ELSE format('%s.%s', n.nspname, c.relname) END AS name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^(pg_|information_schema$)'
      AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ),
  scoped AS (
    SELECT r.oid, r.name, r.relrowsecurity, r.relforcerowsecurity, owner.*
    FROM relation r CROSS JOIN given CROSS JOIN LATERAL (
      -- The organization before the user, where a row has both.
      SELECT a.attname AS owner, a.attnum, a.attnotnull, a.atttypid FROM pg_attribute a
      WHERE a.attrelid = r.oid AND a.attname IN ('organization_id', 'user_id') AND NOT a.attisdropped
      ORDER BY a.attname LIMIT 1
    ) AS owner
    WHERE r.relkind IN ('r', 'p') AND r.name <> ALL (given.unscoped)
  )`;
