-- The tenant of a query, as row-level policies read it. A service's first migration begins with this file.
-- A policy calls a function inside a sub-select, (SELECT app.current_organization_id()), so that it is evaluated
-- once per query. Outside of a scope every function raises: forgetting fails loudly and returns nobody's rows.
-- Their bodies are single expressions, bound when they are defined: PostgreSQL puts them into the query in place of
-- the call, and no search_path can change what they mean.
CREATE SCHEMA app;

-- Refuses a query. STABLE, or else planning a query would already run it.
CREATE FUNCTION app.refuse(reason text) RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RAISE insufficient_privilege USING MESSAGE = reason;
END $$;

-- The organization in whose name the query runs. Its setting is NULL on a fresh connection, '' once that of a
-- transaction has ended.
CREATE FUNCTION app.current_organization_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  nullif(current_setting('app.organization_id', true), '')::uuid,
  app.refuse('no organization is set for this query')
);

-- The user in whose name the query runs.
CREATE FUNCTION app.current_user_id() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN coalesce(
  nullif(current_setting('app.user_id', true), '')::uuid,
  app.refuse('no user is set for this query')
);

-- For rows that belong to an organization and to a user alike: either of the two may be NULL, not both.
CREATE FUNCTION app.organization_id_in_scope() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
  WHEN current_setting('app.organization_id', true) <> '' THEN current_setting('app.organization_id')::uuid
  WHEN current_setting('app.user_id', true) <> '' THEN NULL
  ELSE app.refuse('neither an organization nor a user is set for this query')
END;

CREATE FUNCTION app.user_id_in_scope() RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
RETURN CASE
  WHEN current_setting('app.user_id', true) <> '' THEN current_setting('app.user_id')::uuid
  WHEN current_setting('app.organization_id', true) <> '' THEN NULL
  ELSE app.refuse('neither an organization nor a user is set for this query')
END;
