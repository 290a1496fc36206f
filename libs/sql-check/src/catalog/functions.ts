import { relations } from './relations.ts';

// A trigger runs its function in the scope of who writes, under the same policies. What the catalog shows is whether
// the function leaves them: by its owner's rights, or by binding another scope. The functions of sql/tenancy.sql
// and sql/search.sql are the only ones that speak of the settings; those of sql/storage.sql keep notes of a transaction in
// settings of their own.
const routines = `${relations}, routine AS (
    SELECT p.oid, p.oid::regprocedure AS name, CASE
      WHEN p.prosecdef THEN 'runs with the rights of its owner'
      WHEN array_to_string(p.proconfig, ' ') ~ '(app\\.|role=|row_security|session_authorization|session_replication_role)'
        THEN 'changes the scope or the role that it runs in'
      WHEN coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) ~* '(set_config|app\\.(organization|user)_id\\M|app\\.search_term|row_security)'
        AND NOT (n.nspname = 'app' AND p.proname ~ '^(current_(organization|user)_id|(organization|user)_id_in_scope|search_pattern|(count|check)_storage)$')
        THEN 'touches the settings of the scope'
    END AS danger
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname !~ '^(pg_|information_schema$)' AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  )
  SELECT CASE
    WHEN t.oid IS NULL THEN format('function %s %s', routine.name, danger)
    ELSE format('trigger %s of %s may reach another tenant: %s %s', t.tgname, r.name, routine.name, danger)
  END AS problem
  FROM routine
  LEFT JOIN (pg_trigger t JOIN relation r ON r.oid = t.tgrelid) ON t.tgfoid = routine.oid AND NOT t.tgisinternal
  WHERE danger IS NOT NULL`;

const rules = `${relations}
  SELECT format('rule %s of %s runs with the rights of the owner of the table', w.rulename, r.name) AS problem
  FROM pg_rewrite w JOIN relation r ON r.oid = w.ev_class
  WHERE w.rulename <> '_RETURN'`;

/** Whether something runs past the policies of who calls it. */
export const functions = [routines, rules];
