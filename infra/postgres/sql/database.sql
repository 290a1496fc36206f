-- What may be done in one service's database. Runs in that database, as often as wanted, after roles.sql.
-- Tables, and the runtime role's rights on them, come with the service's migrations.
DO $provision$
DECLARE
  owner_name text := current_setting('tenantry.owner');
  runtime_name text := current_setting('tenantry.runtime');
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tenantry.provision'));

  -- By default every role of the server may connect to every database and look into its public schema.
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  REVOKE ALL ON SCHEMA public FROM PUBLIC;

  -- The data lies on a disk without a head to move, or in memory: an index is worth its random reads.
  EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database());

  EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), runtime_name);
  EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', runtime_name);
  EXECUTE format('REVOKE CREATE ON SCHEMA public FROM %I', runtime_name);
  EXECUTE format('GRANT CONNECT, CREATE, TEMPORARY ON DATABASE %I TO %I', current_database(), owner_name);
  EXECUTE format('GRANT USAGE, CREATE ON SCHEMA public TO %I', owner_name);
END
$provision$;
