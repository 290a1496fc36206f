import { relations } from './relations.ts';

// The forms of a policy, as pg_get_expr() prints them: a form is accepted letter by letter.
const byOrganization =
  '(organization_id = ( SELECT app.current_organization_id() AS current_organization_id))';
const byUser = '(user_id = ( SELECT app.current_user_id() AS current_user_id))';
const byEither =
  '((organization_id = ( SELECT app.organization_id_in_scope() AS organization_id_in_scope)) OR (user_id = ( SELECT app.user_id_in_scope() AS user_id_in_scope)))';

const quoted = (forms: readonly string[]) => forms.map((form) => `'${form}'`).join(', ');

// Rows are seen from either side, and written from the organization's alone: a user who could write by user_id would
// make themselves a member of any organization.
const forms = `
  SELECT 'organization_id' AS owner, ARRAY[${quoted([byOrganization, byEither])}] AS reads, ARRAY[${quoted([byOrganization])}] AS writes
  UNION ALL SELECT 'user_id', ARRAY[${quoted([byUser])}], ARRAY[${quoted([byUser])}]`;

const policy = `${relations}, policy AS (
    SELECT s.name, s.owner, p.polname, p.polcmd, p.polroles,
      coalesce(pg_get_expr(p.polqual, p.polrelid), 'nothing') AS reads,
      -- Without a WITH CHECK of its own a policy checks what is written by its USING.
      coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid), 'nothing') AS writes
    FROM scoped s JOIN pg_policy p ON p.polrelid = s.oid AND p.polpermissive
  ),
  command AS (
    SELECT p.*, cmd FROM policy p, unnest(ARRAY['r', 'a', 'w', 'd']::"char"[]) AS cmd WHERE p.polcmd IN ('*', cmd)
  )`;

const expressions = `${policy}
  SELECT format('policy %s of %s is none of the accepted forms in %s: %s', polname, name, part, printed) AS problem
  FROM policy JOIN (${forms}) AS form USING (owner), LATERAL (VALUES
    ('USING', polcmd <> 'a' AND policy.reads <> ALL (form.reads), policy.reads),
    ('WITH CHECK', polcmd NOT IN ('r', 'd') AND policy.writes <> ALL (form.writes), policy.writes)
  ) AS parts (part, wrong, printed)
  WHERE wrong`;

const sums = `${policy}
  SELECT DISTINCT format('policies %s of %s add up: any of them lets a row through', names, name) AS problem
  FROM (
    SELECT name, cmd, string_agg(polname, ' and ' ORDER BY polname) AS names FROM command
    GROUP BY name, cmd HAVING count(*) > 1
  ) AS several`;

const gaps = `${policy}
  SELECT format('%s has no policy for every command', name) AS problem
  FROM scoped WHERE (SELECT count(DISTINCT cmd) FROM command WHERE command.name = scoped.name) < 4`;

const audiences = `${policy}
  SELECT format('policy %s of %s holds for some roles alone', polname, name) AS problem
  FROM policy WHERE polroles <> '{0}'`;

/** Whether policies say what they should, and no more. */
export const policies = [expressions, sums, gaps, audiences];
