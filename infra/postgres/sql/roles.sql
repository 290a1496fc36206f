-- The three roles of one service. Runs in any database of the server, as often as wanted.
-- Takes the settings tenantry.owner, tenantry.owner_password, tenantry.runtime, tenantry.runtime_password
-- (provision.sh sets them from the environment). The third is the runtime role's for the time of a search: the migrations of a
-- service that searches by an index give it what it may read, and a policy by which it sees no more than the search finds.
DO $provision$
DECLARE
  wanted record;
  owner_name text := current_setting('tenantry.owner');
  runtime_name text := current_setting('tenantry.runtime');
  search_name text := regexp_replace(runtime_name, '_service$', '') || '_search';
BEGIN
  -- Roles belong to the whole server: two that make or alter the same one concurrently would fail.
  PERFORM pg_advisory_xact_lock(hashtext('tenantry.provision'));

  FOR wanted IN
    SELECT *
      FROM (VALUES (owner_name, current_setting('tenantry.owner_password')),
                   (runtime_name, current_setting('tenantry.runtime_password'))) AS roles (name, password)
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = wanted.name) THEN
      EXECUTE format('CREATE ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', wanted.name);
    END IF;
    EXECUTE format('ALTER ROLE %I LOGIN PASSWORD %L', wanted.name, wanted.password);
  END LOOP;

  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = search_name) THEN
    EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', search_name);
  END IF;
  IF (SELECT rolcanlogin FROM pg_roles WHERE rolname = search_name) THEN
    RAISE EXCEPTION 'role % may sign in', search_name USING HINT = format('ALTER ROLE %I NOLOGIN', search_name);
  END IF;

  FOR wanted IN SELECT unnest(ARRAY[owner_name, runtime_name, search_name]) AS name LOOP
    IF EXISTS (SELECT FROM pg_roles
                WHERE rolname = wanted.name
                  AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)) THEN
      RAISE EXCEPTION 'role % may do more than it should', wanted.name
        USING HINT = format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', wanted.name);
    END IF;
  END LOOP;

  IF pg_has_role(runtime_name, owner_name, 'MEMBER') THEN
    RAISE EXCEPTION 'role % is a member of %, so it could lift row-level security', runtime_name, owner_name
      USING HINT = format('REVOKE %I FROM %I', owner_name, runtime_name);
  END IF;

  -- Not inherited: it counts from SET ROLE on, which a search does for its own transaction alone.
  IF NOT EXISTS (SELECT FROM pg_auth_members
                  WHERE roleid = search_name::regrole AND member = runtime_name::regrole
                    AND set_option AND NOT inherit_option AND NOT admin_option) THEN
    EXECUTE format('GRANT %I TO %I WITH INHERIT FALSE, SET TRUE, ADMIN FALSE', search_name, runtime_name);
  END IF;

  -- An administrator who is no superuser (managed servers) may hand a database only to a role of their own.
  IF NOT pg_has_role(owner_name, 'SET') THEN
    EXECUTE format('GRANT %I TO CURRENT_USER', owner_name);
  END IF;
END
$provision$;
