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

-- GRANT SELECT, INSERT, UPDATE, DELETE ON organization_ends TO runtime;
