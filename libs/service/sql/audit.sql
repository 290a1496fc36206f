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

-- GRANT SELECT, INSERT, DELETE, UPDATE (actor_name, target_name) ON audit_events TO runtime;
