import { relations } from './relations.ts';

const powers = `${relations}
  SELECT format('role %s %s', rolname, power) AS problem
  FROM guest, LATERAL (VALUES
    (rolsuper OR rolbypassrls, 'may bypass row-level security'),
    (rolcreaterole, 'may create roles'),
    (rolcreatedb, 'may create databases'),
    (rolreplication, 'may read the stream of all changes')
  ) AS powers (held, power)
  WHERE held`;

// The role of searches is the service's from SET ROLE on: inherited, its rights would hold without its policy.
const memberships = `${relations}
  SELECT format('role %s is a member of %s', m.rolname, g.rolname) AS problem
  FROM given CROSS JOIN guest m
  JOIN pg_auth_members a ON a.member = m.oid
  JOIN pg_roles g ON g.oid = a.roleid
  WHERE NOT (m.rolname = runtime AND g.rolname = search AND set_option AND NOT inherit_option AND NOT admin_option)`;

const ownership = `${relations}, owned AS (
    SELECT format('table %s', oid::regclass) AS what, relowner AS owner FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'S')
    UNION ALL SELECT format('function %s', oid::regprocedure), proowner FROM pg_proc
    UNION ALL SELECT format('schema %s', nspname), nspowner FROM pg_namespace
    UNION ALL SELECT format('database %s', datname), datdba FROM pg_database
  )
  SELECT format('role %s owns %s', rolname, what) AS problem
  FROM guest JOIN owned ON pg_has_role(guest.oid, owner, 'MEMBER')
  WHERE NOT rolsuper`;

// A scope that is set as a connection starts was requested by no caller.
const settings = `${relations}
  SELECT format('%s has the setting %s', coalesce('role ' || rolname, 'the database'), setting) AS problem
  FROM given, pg_db_role_setting s
  LEFT JOIN pg_roles ON pg_roles.oid = s.setrole
  CROSS JOIN unnest(s.setconfig) AS setting
  WHERE (rolname IS NULL OR rolname IN (runtime, search))
    AND s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
    AND setting ~ '^(app\\.|role=|row_security=|session_replication_role=|search_path=)'`;

/** Whether the runtime role, and that of searches, have no rights beyond those of a guest. */
export const roles = [powers, memberships, ownership, settings];
