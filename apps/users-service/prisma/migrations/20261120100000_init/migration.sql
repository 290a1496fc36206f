-- The tenant of a query, as row-level policies read it. A service's first migration begins with this file.
-- A policy calls a function inside a sub-select, (SELECT app.current_organization_id()), so that it is evaluated
-- once per query. Outside of a scope every function raises: forgetting fails loudly and returns nobody's rows.
CREATE SCHEMA app;

-- The organization in whose name the query runs.
CREATE FUNCTION app.current_organization_id() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
DECLARE
  id text := current_setting('app.organization_id', true);
BEGIN
  -- NULL on a fresh connection, '' once a setting of a transaction has ended.
  IF id IS NULL OR id = '' THEN
    RAISE insufficient_privilege USING MESSAGE = 'no organization is set for this query';
  END IF;
  RETURN id::uuid;
END $$;

-- The user in whose name the query runs.
CREATE FUNCTION app.current_user_id() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
DECLARE
  id text := current_setting('app.user_id', true);
BEGIN
  IF id IS NULL OR id = '' THEN
    RAISE insufficient_privilege USING MESSAGE = 'no user is set for this query';
  END IF;
  RETURN id::uuid;
END $$;

-- For rows that belong to an organization and to a user alike: either may be absent, not both.
CREATE FUNCTION app.current_scope(OUT organization_id uuid, OUT user_id uuid)
LANGUAGE plpgsql STABLE PARALLEL SAFE SET search_path = '' AS $$
BEGIN
  organization_id := nullif(current_setting('app.organization_id', true), '')::uuid;
  user_id := nullif(current_setting('app.user_id', true), '')::uuid;
  IF organization_id IS NULL AND user_id IS NULL THEN
    RAISE insufficient_privilege USING MESSAGE = 'neither an organization nor a user is set for this query';
  END IF;
END $$;

GRANT USAGE ON SCHEMA app TO tenantry_users_service;

CREATE TABLE profiles (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL CHECK (char_length(email) BETWEEN 3 AND 254),
  first_name text NOT NULL CHECK (char_length(first_name) <= 50),
  last_name text NOT NULL CHECK (char_length(last_name) <= 50),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT profiles_pkey PRIMARY KEY (organization_id, user_id)
);

ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
ALTER TABLE profiles FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON profiles
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
GRANT SELECT, INSERT, UPDATE, DELETE ON profiles TO tenantry_users_service;
