-- How much each organization stores, and how much it may. The tables have ids and numbers alone and belong to no organization:
-- rows of several organizations may change in one transaction, and an operator looks at all of them.

-- Rows and bytes as a sum of changes: one row for every statement that changes something. No two writers wait for each other,
-- and whoever sees a row sees it counted, because both come with the same transaction.
CREATE TABLE storage_use (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  -- How many times its quota the organization may have stored once this is committed; NULL for what is never refused.
  share real,
  PRIMARY KEY (organization_id, id) INCLUDE (rows, bytes)
);
ALTER TABLE storage_use SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- The quotas of an organization, in one row, as the service's settings have them.
CREATE TABLE storage_limits (
  id integer NOT NULL DEFAULT 1 PRIMARY KEY,
  rows bigint NOT NULL,
  bytes bigint NOT NULL,
  -- Until an owner has confirmed an address.
  rows_unconfirmed bigint NOT NULL,
  bytes_unconfirmed bigint NOT NULL,
  CONSTRAINT storage_limits_one CHECK (id = 1)
);

-- What is known of an organization; nothing is known of one without a row, so no owner of it has a confirmed address.
CREATE TABLE storage_quotas (
  organization_id uuid NOT NULL PRIMARY KEY,
  is_confirmed boolean NOT NULL DEFAULT false,
  -- How many times the quotas of the settings it has: an operator may give it more.
  factor integer NOT NULL DEFAULT 1,
  CONSTRAINT storage_quotas_factor CHECK (factor BETWEEN 1 AND 1000)
);

-- The quota of an organization.
CREATE FUNCTION app.storage_quota(organization uuid, OUT rows bigint, OUT bytes bigint, OUT is_confirmed boolean)
LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT CASE WHEN q.is_confirmed THEN l.rows ELSE l.rows_unconfirmed END * coalesce(q.factor, 1),
    CASE WHEN q.is_confirmed THEN l.bytes ELSE l.bytes_unconfirmed END * coalesce(q.factor, 1),
    coalesce(q.is_confirmed, false)
  FROM storage_limits l LEFT JOIN storage_quotas q ON q.organization_id = organization;
END;

-- Refuses what goes beyond. The code says whether a confirmed address would give the organization more.
CREATE FUNCTION app.refuse_storage(is_confirmed boolean) RETURNS void
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF is_confirmed THEN
    RAISE 'the organization has reached its quota' USING ERRCODE = 'TQ001';
  END IF;
  RAISE 'the organization has reached its quota, which is small without a confirmed owner' USING ERRCODE = 'TQ002';
END $$;

-- Counts what a statement has changed. A row counts as its values do that PostgreSQL sends, which are the same when it is added
-- and when it is deleted, compressed or not; one that is NULL counts nothing, so that a new column changes no row.
--
-- The argument says what an organization may do that has reached its quota:
--   own        nothing that adds: what people create
--   following  a tenth more: what comes with a change, such as a letter
--   trail      the same, and everything along with an entry that says that something was deleted. Entries count by their bytes
--              alone: otherwise who deletes would gain no rows
--   always     everything, with all of the transaction: what others decide, such as a customer
--   copied     everything: what another service knows, or what defends an account
-- A transaction that makes what people created smaller is never refused.
CREATE FUNCTION app.count_storage() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  share real := CASE TG_ARGV[0] WHEN 'own' THEN 1 WHEN 'following' THEN 1.1 WHEN 'trail' THEN 1.1 END;
  row_weight integer := CASE TG_ARGV[0] WHEN 'trail' THEN 0 ELSE 1 END;
  change record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH written AS (
      INSERT INTO storage_use (organization_id, rows, bytes, share)
      SELECT organization_id, row_weight * count(*), sum(octet_length(image) - 8 * get_byte(image, 3) - 4), share
      FROM (SELECT organization_id, record_send(added) AS image FROM added OFFSET 0) AS sent GROUP BY 1
      RETURNING storage_use.*
    )
    SELECT * INTO change FROM written LIMIT 1;
  ELSIF TG_OP = 'DELETE' THEN
    WITH written AS (
      INSERT INTO storage_use (organization_id, rows, bytes)
      SELECT organization_id, -row_weight * count(*), -sum(octet_length(image) - 8 * get_byte(image, 3) - 4)
      FROM (SELECT organization_id, record_send(removed) AS image FROM removed OFFSET 0) AS sent GROUP BY 1
      RETURNING storage_use.*
    )
    SELECT * INTO change FROM written LIMIT 1;
  ELSE
    -- A mark, such as the time of a deletion, is no growth.
    WITH written AS (
      INSERT INTO storage_use (organization_id, rows, bytes, share)
      SELECT organization_id, 0, sum(size), CASE WHEN sum(size) > 32 * count(*) THEN share END
      FROM (
        SELECT organization_id, octet_length(image) - 8 * get_byte(image, 3) - 4 AS size
        FROM (SELECT organization_id, record_send(added) AS image FROM added OFFSET 0) AS sent
        UNION ALL
        SELECT organization_id, 8 * get_byte(image, 3) + 4 - octet_length(image)
        FROM (SELECT organization_id, record_send(removed) AS image FROM removed OFFSET 0) AS sent
      ) AS changes
      GROUP BY 1 HAVING sum(size) <> 0
      RETURNING storage_use.*
    )
    SELECT * INTO change FROM written LIMIT 1;
  END IF;
  IF change.organization_id IS NULL THEN
    RETURN NULL;
  END IF;

  IF TG_ARGV[0] = 'own' THEN
    PERFORM set_config('app.storage_change',
      (coalesce(nullif(current_setting('app.storage_change', true), '')::bigint, 0) + change.bytes)::text, true);
    -- Much at once is refused before there is more of it.
    IF (change.rows > 100 OR change.bytes > 100000) AND NOT has_table_privilege('storage_use', 'TRIGGER') THEN
      PERFORM app.refuse_storage(quota.is_confirmed)
      FROM app.storage_quota(change.organization_id) AS quota,
        (SELECT sum(u.rows) AS rows, sum(u.bytes) AS bytes FROM storage_use u
          WHERE u.organization_id = change.organization_id) AS used
      WHERE used.rows > quota.rows OR used.bytes > quota.bytes;
    END IF;
  ELSIF TG_ARGV[0] = 'always' AND TG_OP = 'INSERT' THEN
    PERFORM set_config('app.storage_is_free', 'on', true);
  ELSIF TG_ARGV[0] = 'trail' AND TG_OP = 'INSERT' THEN
    PERFORM set_config('app.storage_is_free', 'on', true) FROM added WHERE action ~ '\.(deleted|erased|purged)$';
  END IF;

  -- One change in 64 sums those of its organization up. It leaves out rows that another transaction is summing up or has not
  -- committed, so nobody waits, and the sum stays the same whatever is left out.
  IF random() < 1.0 / 64 THEN
    WITH pending AS (
      SELECT id FROM storage_use WHERE organization_id = change.organization_id ORDER BY id FOR UPDATE SKIP LOCKED
    ), folded AS (
      DELETE FROM storage_use u USING pending
      WHERE u.organization_id = change.organization_id AND u.id = pending.id
      RETURNING u.rows, u.bytes
    )
    INSERT INTO storage_use (organization_id, rows, bytes)
    SELECT change.organization_id, sum(folded.rows), sum(folded.bytes) FROM folded
    HAVING sum(folded.rows) <> 0 OR sum(folded.bytes) <> 0;
  END IF;
  RETURN NULL;
END $$;

-- Looks, as a transaction commits, whether the organization has room for it. Far from the quota, transactions that add little
-- pass side by side; close to it, or with much at once, they pass one by one, each seeing those before it: together they add no
-- more than fits. The lock is the last one that a transaction takes and is held for its commit alone, so nothing waits for
-- more than that, and no two wait for each other.
CREATE FUNCTION app.check_storage() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  change bigint := coalesce(nullif(current_setting('app.storage_change', true), '')::bigint, 0);
  key bigint := hashtextextended(NEW.organization_id::text, 80);
  quota record;
  used record;
BEGIN
  -- An operator who repairs the tables, as their owner, is not refused. The sums are read in the order of the index, which
  -- then skips what was summed up and is dead.
  IF change < 0 OR current_setting('app.storage_is_free', true) = 'on'
    OR current_setting('app.storage_checked', true) IN (concat(NEW.organization_id, 1), concat(NEW.organization_id, NEW.share))
    OR has_table_privilege('storage_use', 'TRIGGER') THEN
    RETURN NULL;
  END IF;
  SELECT * INTO quota FROM app.storage_quota(NEW.organization_id);
  SELECT sum(u.rows) AS rows, sum(u.bytes) AS bytes INTO used FROM (
    SELECT rows, bytes FROM storage_use WHERE organization_id = NEW.organization_id ORDER BY id) AS u;
  IF used.rows > 0.8 * quota.rows OR used.bytes > 0.8 * quota.bytes
    OR NEW.rows > 0.001 * quota.rows OR change > 0.001 * quota.bytes
    OR NOT pg_try_advisory_xact_lock_shared(key) THEN
    PERFORM pg_advisory_xact_lock(key);
    SELECT sum(u.rows) AS rows, sum(u.bytes) AS bytes INTO used FROM (
      SELECT rows, bytes FROM storage_use WHERE organization_id = NEW.organization_id ORDER BY id) AS u;
    IF used.rows > NEW.share * quota.rows OR used.bytes > NEW.share * quota.bytes THEN
      PERFORM app.refuse_storage(quota.is_confirmed);
    END IF;
  END IF;
  PERFORM set_config('app.storage_checked', concat(NEW.organization_id, NEW.share), true);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER storage_use_checked AFTER INSERT ON storage_use DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.share IS NOT NULL) EXECUTE FUNCTION app.check_storage();

-- Has a table of organizations counted: a migration calls it for each, with the argument of app.count_storage().
CREATE FUNCTION app.count_storage_of(counted regclass, kind text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF kind NOT IN ('own', 'following', 'trail', 'always', 'copied') THEN
    RAISE 'no kind of storage is called %', kind;
  END IF;
  EXECUTE format('CREATE TRIGGER storage_added AFTER INSERT ON %s REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION app.count_storage(%L)', counted, kind);
  EXECUTE format('CREATE TRIGGER storage_changed AFTER UPDATE ON %s REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION app.count_storage(%L)', counted, kind);
  EXECUTE format('CREATE TRIGGER storage_removed AFTER DELETE ON %s REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION app.count_storage(%L)', counted, kind);
END $$;

-- Counts what an organization stores once more, whose scope it needs, while others write: in one statement, which sees each
-- change together with its count. For what was there before it was counted.
CREATE FUNCTION app.recount_storage() RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  organization uuid := app.current_organization_id();
  counted text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(organization::text, 81));
  SELECT string_agg(format(
    'SELECT %s * count(*), sum(octet_length(image) - 8 * get_byte(image, 3) - 4)
     FROM (SELECT record_send(t) AS image FROM %s AS t WHERE organization_id = $1 OFFSET 0) AS sent',
    CASE WHEN tgargs = 'trail\000'::bytea THEN 0 ELSE 1 END, tgrelid::regclass), ' UNION ALL ')
  INTO counted FROM pg_catalog.pg_trigger WHERE tgname = 'storage_added' AND tgfoid = 'app.count_storage()'::regprocedure;
  EXECUTE format(
    'INSERT INTO storage_use (organization_id, rows, bytes)
     SELECT $1, sum(rows), sum(bytes) FROM (
       %s UNION ALL SELECT -sum(u.rows), -sum(u.bytes) FROM storage_use u WHERE organization_id = $1
     ) AS difference (rows, bytes)
     HAVING sum(rows) <> 0 OR sum(bytes) <> 0', counted) USING organization;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON storage_use, storage_limits, storage_quotas TO tenantry_users_service;

SELECT app.count_storage_of('profiles', 'copied');
