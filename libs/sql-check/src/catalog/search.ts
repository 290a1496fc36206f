import { relations } from './relations.ts';

// As pg_get_expr() prints it, behind the text that is searched: whatever that is, the condition leaves rows out.
const form = String.raw`^\(.+ ~~ \( SELECT app\.search_pattern\(\) AS search_pattern\)\)$`;

const signIn = `${relations}
  SELECT format('role %s may sign in: it is for the time of a search alone', rolname) AS problem
  FROM guest JOIN given ON rolname = search WHERE rolcanlogin`;

const granted = `${relations}, granted AS (
    SELECT relation.oid AS relation, name, guest.oid AS role, rolname, acl.privilege_type AS privilege
    FROM given JOIN guest ON rolname = search CROSS JOIN relation CROSS JOIN LATERAL (
      SELECT whole.* FROM aclexplode(relacl) AS whole
      UNION ALL SELECT part.* FROM pg_attribute a, aclexplode(a.attacl) AS part WHERE a.attrelid = relation.oid
    ) AS acl
    WHERE acl.grantee = guest.oid
  )`;

const changes = `${granted}
  SELECT DISTINCT format('role %s may %s %s: it is to search alone', rolname, privilege, name) AS problem
  FROM granted WHERE privilege <> 'SELECT'`;

const unsearched = `${granted}
  SELECT DISTINCT format('role %s reads %s without a policy that leaves it what it searches for', rolname, name) AS problem
  FROM granted WHERE privilege = 'SELECT' AND NOT EXISTS (
    SELECT FROM pg_policy p
    WHERE p.polrelid = relation AND NOT p.polpermissive AND p.polcmd IN ('r', '*')
      AND role = ANY (p.polroles) AND pg_get_expr(p.polqual, p.polrelid) ~ '${form}')`;

/** Whether the role of searches sees no row but by a search, and changes none. */
export const search = [signIn, changes, unsearched];
