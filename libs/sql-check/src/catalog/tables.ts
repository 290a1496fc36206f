import { relations } from './relations.ts';

const kinds = `${relations}
  SELECT CASE
    WHEN relkind = 'm' THEN format('%s is a materialized view: row-level security does not reach it', name)
    WHEN relkind = 'f' THEN format('%s is a foreign table: row-level security does not reach it', name)
    WHEN relkind = 'v' THEN format('view %s reads with the rights of its owner: set security_invoker', name)
    ELSE format('%s has neither an organization_id nor a user_id and is not listed as unscoped', name)
  END AS problem
  FROM relation, given
  WHERE name <> ALL (unscoped) AND CASE
    WHEN relkind = 'v' THEN NOT coalesce(reloptions && '{security_invoker=true,security_invoker=on}', false)
    WHEN relkind IN ('r', 'p') THEN name NOT IN (SELECT name FROM scoped)
    ELSE true
  END`;

const listed = `${relations}
  SELECT format('%s is listed as unscoped and does not exist', listed) AS problem
  FROM given, unnest(unscoped) AS listed
  WHERE listed <> '_prisma_migrations' AND listed NOT IN (SELECT name FROM relation)`;

const security = `${relations}
  SELECT CASE
    WHEN NOT relrowsecurity THEN format('%s has no row-level security', name)
    ELSE format('%s does not force row-level security on its owner', name)
  END AS problem
  FROM scoped WHERE NOT relrowsecurity OR NOT relforcerowsecurity`;

const owners = `${relations}
  SELECT format('%s of %s is not a uuid NOT NULL: a row might have no owner', owner, name) AS problem
  FROM scoped WHERE NOT attnotnull OR atttypid <> 'uuid'::regtype`;

const sequences = `${relations}
  SELECT format('column %s of %s counts by a sequence, which collides on another server: use uuidv7()', a.attname, s.name)
    AS problem
  FROM scoped s
  JOIN pg_attribute a ON a.attrelid = s.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = s.oid AND d.adnum = a.attnum
  WHERE a.attidentity <> '' OR EXISTS (
    SELECT FROM pg_depend x JOIN pg_class q ON q.oid = x.refobjid AND q.relkind = 'S'
    WHERE x.classid = 'pg_attrdef'::regclass AND x.objid = d.oid AND x.refclassid = 'pg_class'::regclass
  )`;

/** Whether each table has an owner, and row-level security that is forced. */
export const tables = [kinds, listed, security, owners, sequences];
