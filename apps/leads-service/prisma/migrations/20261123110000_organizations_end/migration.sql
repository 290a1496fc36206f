-- What a service has read of the events of auth-service. Both tables name ids alone, and belong to no organization: the
-- reader is in none, and applies each event within the organization that it names.
-- One row: where the reader stands. Nothing is known of `cursor` NULL, so it begins anew, in the next round.
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

-- The trail of an organization that is purged goes with it.
ALTER POLICY audit_events_over ON audit_events USING (
  uuid_extract_timestamp(id) < statement_timestamp() - INTERVAL '30 days' OR (SELECT app.is_being_purged()));

-- The service deletes leads for good that are marked as deleted, and their history with them.
CREATE POLICY leads_marked ON leads AS RESTRICTIVE FOR DELETE
  USING (deleted_at IS NOT NULL OR (SELECT app.is_being_purged()));
CREATE POLICY lead_status_changes_marked ON lead_status_changes AS RESTRICTIVE FOR DELETE
  USING ((SELECT app.is_being_purged()) OR EXISTS (
    SELECT FROM leads l
    WHERE (l.organization_id, l.id) = (lead_status_changes.organization_id, lead_id) AND l.deleted_at IS NOT NULL));
GRANT DELETE ON leads, lead_status_changes TO tenantry_leads_service;
GRANT SELECT, UPDATE ON event_reader TO tenantry_leads_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects TO tenantry_leads_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_ends TO tenantry_leads_service;

-- Organizations that were deleted before this was known: of all that have rows here, the reader hears of those there are, and
-- auth-service is asked about the others some day. The owner sees all rows for the time of this transaction, which takes one
-- step in a primary key per organization.
ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;
INSERT INTO organization_ends (organization_id, purge_at)
WITH RECURSIVE known AS (
  (SELECT organization_id FROM leads ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT t.organization_id FROM leads t WHERE t.organization_id > known.organization_id
    ORDER BY t.organization_id LIMIT 1)
  FROM known WHERE organization_id IS NOT NULL
)
SELECT organization_id, clock_timestamp() + INTERVAL '30 days' FROM known WHERE organization_id IS NOT NULL
ON CONFLICT (organization_id) DO NOTHING;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
INSERT INTO organization_ends (organization_id, purge_at)
WITH RECURSIVE known AS (
  (SELECT organization_id FROM due_work ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT t.organization_id FROM due_work t WHERE t.organization_id > known.organization_id
    ORDER BY t.organization_id LIMIT 1)
  FROM known WHERE organization_id IS NOT NULL
)
SELECT organization_id, clock_timestamp() + INTERVAL '30 days' FROM known WHERE organization_id IS NOT NULL
ON CONFLICT (organization_id) DO NOTHING;
