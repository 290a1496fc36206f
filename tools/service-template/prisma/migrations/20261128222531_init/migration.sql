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

GRANT USAGE ON SCHEMA app TO tenantry_field_notes_service;

-- CreateTable
CREATE TABLE "field_notes" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT uuidv7(),
    "title" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "field_notes_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "organizations" (
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "organizations_pkey" PRIMARY KEY ("organization_id")
);

-- CreateIndex
CREATE INDEX "field_notes_organization_id_created_at_id_idx" ON "field_notes"("organization_id", "created_at", "id");


-- Rows of "field_notes" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "field_notes" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "field_notes" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "field_notes"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "field_notes" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Keep what the service does with "field_notes", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "field_notes" TO tenantry_field_notes_service;

-- Rows of "organizations" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "organizations" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "organizations" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "organizations"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "organizations" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Keep what the service does with "organizations", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "organizations" TO tenantry_field_notes_service;

-- Organizations that were deleted: their links open nothing and their due work rests, until all that belongs to them is
-- purged. Like the tables of events.sql it names ids alone and belongs to no organization: the reader of events that
-- writes it, and the workers that ask it, are in none.
CREATE TABLE organization_ends (
  organization_id uuid NOT NULL PRIMARY KEY,
  -- NULL for one of which nothing has been heard: it counts as live until auth-service says otherwise.
  ended_at timestamptz(3),
  -- When auth-service is asked next whether it is to be purged.
  purge_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Whether auth-service has said so.
  is_purging boolean NOT NULL DEFAULT false
);
CREATE INDEX organization_ends_next ON organization_ends (purge_at);

-- Whether the service may delete what it otherwise only adds to.
CREATE FUNCTION app.is_being_purged() RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
RETURN EXISTS (
  SELECT FROM public.organization_ends
  WHERE organization_id = (SELECT app.current_organization_id()) AND is_purging);

-- Deletes so many rows of the organization, from whichever table has some, and says how many they were. The tables are
-- those of the catalog, so that a new one is purged by itself: those that refer to others first. Their triggers may write
-- rows of their own, so it is over when nothing is left in any. Rows go by their keys, so one that refers to a later row of
-- its own table goes before that.
CREATE FUNCTION app.purge_batch(size integer) RETURNS integer
LANGUAGE plpgsql SET search_path = '' AS $$
DECLARE
  owner uuid := app.current_organization_id();
  target record;
  gone integer;
BEGIN
  FOR target IN
    WITH RECURSIVE owned AS (
      SELECT c.oid, i.indkey FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organization_id' AND NOT a.attisdropped
      JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'organization_ends'
    ), referring AS (
      SELECT oid, 0 AS depth FROM owned
      UNION
      SELECT f.confrelid, r.depth + 1 FROM referring r
      JOIN pg_catalog.pg_constraint f ON f.conrelid = r.oid AND f.contype = 'f' AND f.confrelid <> r.oid
    )
    SELECT o.oid::regclass AS name, (
      SELECT string_agg(quote_ident(a.attname), ', ' ORDER BY k.at)
      FROM unnest(o.indkey::int[]) WITH ORDINALITY AS k (attnum, at)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = o.oid AND a.attnum = k.attnum) AS key
    FROM owned o JOIN referring r USING (oid)
    GROUP BY o.oid, o.indkey ORDER BY max(r.depth), o.oid::regclass::text
  LOOP
    EXECUTE format(
      'DELETE FROM %s WHERE ctid = ANY(ARRAY(SELECT ctid FROM %1$s WHERE organization_id = $1 ORDER BY %s LIMIT $2))',
      target.name, target.key) USING owner, size;
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone > 0 THEN
      RETURN gone;
    END IF;
  END LOOP;
  RETURN 0;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON organization_ends TO tenantry_field_notes_service;

-- Work that is due in an organization, as a worker finds it without being in one. It names the organization, what kind
-- of work, on which row and when, and nothing else: what the work is about is read within the organization afterwards.
-- A kind of work is written in the transaction that causes it. Needs organization-ends.sql.
CREATE TABLE due_work (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- Whether it is among the work that organizations take turns in. What is due and is not gets there by a worker's next look.
  -- During an attempt: whether it was scheduled once more, so that the attempt does not remove it.
  is_ready boolean NOT NULL DEFAULT false,
  -- Recent attempts without a result, including the present one: their process has died. At two the work is set aside.
  unanswered integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, kind, id),
  CONSTRAINT due_work_kind CHECK (kind ~ '^[a-z-]{1,40}$')
);
CREATE INDEX due_work_next ON due_work (kind, next_attempt_at);
-- Whose turn is next is found in it in one step, however much an organization has waiting.
CREATE INDEX due_work_ready ON due_work (kind, organization_id, next_attempt_at) WHERE is_ready;
-- Rows come and go, so that a page of them is soon dead.
ALTER TABLE due_work SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Wakes every instance at the commit, where there is something to do. Lost behind a pooler in transaction mode, so a poll
-- lies beneath.
CREATE FUNCTION app.notify_due_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM pg_notify('due_work', '');
  RETURN NULL;
END $$;
-- A moment is rounded to milliseconds, so that "now" may lie ahead.
CREATE TRIGGER due_work_notify AFTER INSERT ON due_work FOR EACH ROW
  WHEN (NEW.next_attempt_at <= clock_timestamp() + INTERVAL '1 s') EXECUTE FUNCTION app.notify_due_work();

-- Work of an organization that was deleted rests: it is due at "infinity". It is due at once where the organization is restored.
CREATE FUNCTION app.wake_resting_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  UPDATE public.due_work SET is_ready = true, next_attempt_at = clock_timestamp()
  WHERE organization_id = OLD.organization_id AND next_attempt_at = 'infinity';
  RETURN NULL;
END $$;
CREATE TRIGGER organization_ends_wake_work AFTER DELETE ON organization_ends
  FOR EACH ROW EXECUTE FUNCTION app.wake_resting_work();

GRANT SELECT, INSERT, UPDATE, DELETE ON due_work TO tenantry_field_notes_service;

-- Who did what to which row, and when. A row is written in the transaction of what it records; the service may add and
-- read rows, forget the names in them, and delete old ones.
-- Ids are in the order of time, and hold the time.
-- Needs due-work.sql and organization-ends.sql.
CREATE TABLE audit_events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  actor_kind text,
  -- NULL for a job, and for a customer with a link.
  actor_user_id uuid,
  -- What they were called then, until they are erased.
  actor_name text,
  action text NOT NULL,
  target_type text,
  target_id uuid,
  target_name text,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_events_action CHECK (action ~ '^[a-z-]{1,40}\.[a-z-]{1,40}$'),
  CONSTRAINT audit_events_actor CHECK (actor_kind IN ('user', 'service-account', 'directory', 'operator', 'job', 'customer')),
  CONSTRAINT audit_events_target CHECK ((target_type IS NULL) = (target_id IS NULL)),
  CONSTRAINT audit_events_details CHECK (jsonb_typeof(details) = 'object' AND octet_length(details::text) <= 8192)
);
CREATE INDEX audit_events_by_target ON audit_events (organization_id, target_id, id);
CREATE INDEX audit_events_by_actor ON audit_events (organization_id, actor_user_id, id);
CREATE INDEX audit_events_by_action ON audit_events (organization_id, action, id);
ALTER TABLE audit_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_events
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- Entries end by AUDIT_RETENTION_DAYS: a worker finds the organizations that have some among its due work. The service
-- may delete what is older than 30 days, and the trail of an organization that is purged, whatever it is told.
CREATE FUNCTION app.schedule_audit_retention() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.due_work
    WHERE organization_id = NEW.organization_id AND kind = 'audit-retention' AND id = NEW.organization_id
  ) THEN
    INSERT INTO public.due_work (organization_id, kind, id, next_attempt_at)
    VALUES (NEW.organization_id, 'audit-retention', NEW.organization_id, clock_timestamp() + INTERVAL '1 day')
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_events_retention AFTER INSERT ON audit_events
  FOR EACH ROW EXECUTE FUNCTION app.schedule_audit_retention();
CREATE POLICY audit_events_over ON audit_events AS RESTRICTIVE FOR DELETE
  USING (uuid_extract_timestamp(id) < statement_timestamp() - INTERVAL '30 days' OR (SELECT app.is_being_purged()));

-- What somebody or something was called can be forgotten, and be changed to nothing else.
CREATE FUNCTION app.forget_names_alone() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NEW.actor_name IS NOT NULL AND NEW.actor_name IS DISTINCT FROM OLD.actor_name
    OR NEW.target_name IS NOT NULL AND NEW.target_name IS DISTINCT FROM OLD.target_name THEN
    RAISE insufficient_privilege USING MESSAGE = 'a name in the trail can be forgotten, and not be changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_events_names BEFORE UPDATE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION app.forget_names_alone();

GRANT SELECT, INSERT, DELETE, UPDATE (actor_name, target_name) ON audit_events TO tenantry_field_notes_service;

-- What a service has read of the events of auth-service. Both tables name ids alone, and belong to no organization: the
-- reader is in none, and applies each event within the organization that it names.
-- One row: where the reader stands. Nothing is known of `cursor` NULL, so it starts over, in the next round.
CREATE TABLE event_reader (
  name text NOT NULL PRIMARY KEY,
  cursor text,
  round integer NOT NULL DEFAULT 1,
  -- Whether everything that there was has been read since the round began.
  is_complete boolean NOT NULL DEFAULT false,
  -- By which version of the projection everything up to a cursor was kept. A release that knows no versions moves
  -- `cursor` alone, and this one no longer tells of it.
  projection integer NOT NULL DEFAULT 1,
  projection_cursor text
);
INSERT INTO event_reader (name) VALUES ('auth');

-- Of whom there were events, and in which round: who is not told of again by its end is gone.
CREATE TABLE event_subjects (
  organization_id uuid NOT NULL,
  -- A member's user id, or the organization's own.
  subject_id uuid NOT NULL,
  round integer NOT NULL,
  PRIMARY KEY (organization_id, subject_id)
);
CREATE INDEX event_subjects_by_round ON event_subjects (round);

GRANT SELECT, UPDATE ON event_reader TO tenantry_field_notes_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects TO tenantry_field_notes_service;

-- Answers that are given again: what a client sends twice under one Idempotency-Key is done once.
-- Needs due-work.sql, by which they are found when they are over.
CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- SHA-256 of the key, and of the request that came with it.
  key bytea NOT NULL,
  request bytea NOT NULL,
  status smallint NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, user_id, key),
  CONSTRAINT idempotency_keys_digests CHECK (octet_length(key) = 32 AND octet_length(request) = 32),
  CONSTRAINT idempotency_keys_status CHECK (status BETWEEN 200 AND 299),
  CONSTRAINT idempotency_keys_body CHECK (octet_length(body) <= 1048576)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO tenantry_field_notes_service;

-- What is to be done outside of the database, written in the transaction that causes it. Needs due-work.sql.
CREATE TABLE outbox (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  topic text NOT NULL,
  -- The row that it is about.
  subject_id uuid NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz(3),
  -- Given up after the last attempt, or dropped.
  failed_at timestamptz(3),
  -- Why it waits or was dropped, where that is not for a failed attempt.
  reason text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT outbox_topic CHECK (topic ~ '^[a-z-]{1,40}$'),
  CONSTRAINT outbox_payload CHECK (jsonb_typeof(payload) = 'object' AND octet_length(payload::text) <= 65536),
  CONSTRAINT outbox_end CHECK (delivered_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX outbox_by_subject ON outbox (organization_id, subject_id, id);

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON outbox
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO tenantry_field_notes_service;

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

GRANT SELECT, INSERT, UPDATE, DELETE ON storage_use, storage_limits, storage_quotas TO tenantry_field_notes_service;

-- What people create is refused at the quota: sql/storage.sql of tenancy has other kinds.
SELECT app.count_storage_of('field_notes', 'own');

-- What people create is refused at the quota: sql/storage.sql of tenancy has other kinds.
SELECT app.count_storage_of('organizations', 'own');

SELECT app.count_storage_of('audit_events', 'trail');
SELECT app.count_storage_of('idempotency_keys', 'following');
SELECT app.count_storage_of('outbox', 'following');