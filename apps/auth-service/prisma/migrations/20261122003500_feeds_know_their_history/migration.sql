-- A cursor of a feed names transactions, and these have a meaning in one history of the database alone. This row says
-- which history the feeds belong to; entries up to the ids in it were written in an earlier one.
CREATE TABLE "feed_history" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "epoch" UUID NOT NULL,
    "system_identifier" BIGINT NOT NULL,
    "timeline" TEXT NOT NULL,
    "revocations_before" BIGINT NOT NULL,
    "events_before" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "feed_history_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "feed_history_id_check" CHECK ("id" = 1)
);

-- One row for each transaction that wrote to a feed. A cursor names the latest that it has seen, so a database that went
-- back in time behind it is noticed.
CREATE TABLE "feed_marks" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "feed" TEXT NOT NULL,
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "feed_marks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "feed_marks_feed_check" CHECK ("feed" IN ('revocations', 'events'))
);

-- CreateIndex
CREATE INDEX "feed_marks_feed_xid_idx" ON "feed_marks"("feed", "xid");

-- CreateIndex
CREATE INDEX "feed_marks_feed_created_at_idx" ON "feed_marks"("feed", "created_at");

-- Only this trigger writes marks.
CREATE FUNCTION app.mark_feed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  INSERT INTO public.feed_marks (feed)
  SELECT TG_TABLE_NAME WHERE NOT EXISTS (
    SELECT FROM public.feed_marks WHERE feed = TG_TABLE_NAME AND xid = pg_current_xact_id());
  RETURN NULL;
END $$;

CREATE TRIGGER "revocations_mark" AFTER INSERT ON "revocations" FOR EACH STATEMENT EXECUTE FUNCTION app.mark_feed();
CREATE TRIGGER "events_mark" AFTER INSERT ON "events" FOR EACH STATEMENT EXECUTE FUNCTION app.mark_feed();

-- Whether the row speaks of the history that is being written: a new cluster has another system identifier, and a
-- promotion or a recovery to a point in time another timeline.
CREATE FUNCTION app.feeds_are_current() RETURNS boolean
LANGUAGE sql STABLE SET search_path = '' AS $$
  SELECT EXISTS (
      SELECT FROM public.feed_history AS h, pg_control_system() AS s
      WHERE h.system_identifier = s.system_identifier
        AND h.timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8))
    AND (SELECT count(DISTINCT feed) FROM (
      (SELECT feed FROM public.feed_marks WHERE feed = 'revocations' LIMIT 1)
      UNION ALL (SELECT feed FROM public.feed_marks WHERE feed = 'events' LIMIT 1)) AS marked) = 2;
$$;

-- Begins an epoch where the history is another one: every cursor of before is unknown from then on. The locks wait for
-- those who write, so no entry of the new epoch has an id of the old one.
CREATE FUNCTION app.begin_feed_epoch() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  LOCK TABLE public.revocations, public.events IN SHARE ROW EXCLUSIVE MODE;
  IF app.feeds_are_current() THEN
    RETURN false;
  END IF;
  -- Their transaction ids may be those of another cluster.
  TRUNCATE public.feed_marks;
  INSERT INTO public.feed_marks (feed) VALUES ('revocations'), ('events');
  INSERT INTO public.feed_history (epoch, system_identifier, timeline, revocations_before, events_before)
  SELECT gen_random_uuid(), s.system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8),
    coalesce((SELECT max(id) FROM public.revocations), 0), coalesce((SELECT max(id) FROM public.events), 0)
  FROM pg_control_system() AS s
  ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, system_identifier = excluded.system_identifier,
    timeline = excluded.timeline, revocations_before = excluded.revocations_before,
    events_before = excluded.events_before, created_at = excluded.created_at;
  RETURN true;
END $$;

SELECT app.begin_feed_epoch();

GRANT SELECT ON "feed_history" TO tenantry_auth_service;
GRANT SELECT, DELETE ON "feed_marks" TO tenantry_auth_service;
