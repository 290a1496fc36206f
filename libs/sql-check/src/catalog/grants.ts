import { relations } from './relations.ts';

// TRUNCATE passes row-level security, REFERENCES tells which rows exist, TRIGGER runs code in others' transactions,
// MAINTAIN locks tables.
const beyondRows = `ARRAY['TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']`;

const tablePrivileges = `${relations}
  SELECT format('role %s may %s %s, which passes row-level security', rolname, privilege, name) AS problem
  FROM relation, given JOIN pg_roles ON rolname = runtime, unnest(${beyondRows}) AS privilege
  WHERE relkind IN ('r', 'p') AND NOT rolsuper AND (
    has_table_privilege(rolname, relation.oid, privilege)
    OR privilege = 'REFERENCES' AND has_any_column_privilege(rolname, relation.oid, privilege))`;

const publicPrivileges = `${relations}
  SELECT DISTINCT format('everyone may %s %s', privilege_type, name) AS problem
  FROM relation, LATERAL (
    SELECT acl.* FROM aclexplode(relacl) AS acl
    UNION ALL SELECT acl.* FROM pg_attribute a, aclexplode(a.attacl) AS acl WHERE a.attrelid = relation.oid
  ) AS granted
  WHERE grantee = 0`;

const creation = `${relations}
  SELECT format('role %s may create objects in schema %s', rolname, nspname) AS problem
  FROM guest, pg_namespace
  WHERE nspname !~ '^pg_' AND NOT rolsuper AND has_schema_privilege(rolname, pg_namespace.oid, 'CREATE')
  UNION ALL
  SELECT format('role %s may create schemas in the database', rolname)
  FROM guest
  WHERE NOT rolsuper AND has_database_privilege(rolname, current_database(), 'CREATE')`;

// What is granted by default reaches the next table before its policy does.
const defaults = `${relations}
  SELECT DISTINCT format('%s gets %s on future %s by default', coalesce('role ' || rolname, 'everyone'), privilege_type,
    CASE defaclobjtype WHEN 'r' THEN 'tables' WHEN 'S' THEN 'sequences' ELSE 'schemas' END) AS problem
  FROM given, pg_default_acl d, aclexplode(d.defaclacl) AS granted
  LEFT JOIN pg_roles ON pg_roles.oid = grantee
  WHERE defaclobjtype IN ('r', 'S', 'n') AND (grantee = 0 OR rolname IN (runtime, search))`;

/** Whether privileges lead past row-level security. */
export const grants = [tablePrivileges, publicPrivileges, creation, defaults];
