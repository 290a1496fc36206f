-- Who did what to which row, and when. A row is written in the transaction of what it records; the service may add and
-- read rows, and nothing else. It names people by id alone, so that erasing somebody leaves nothing to find here.
-- Ids are in the order of time, and hold the time.
CREATE TABLE audit_events (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- NULL for somebody who is not signed in, such as a customer with a link.
  actor_user_id uuid,
  action text NOT NULL,
  target_type text,
  target_id uuid,
  details jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, id),
  CONSTRAINT audit_events_action CHECK (action ~ '^[a-z-]{1,40}\.[a-z-]{1,40}$'),
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

GRANT SELECT, INSERT ON audit_events TO tenantry_quotation_service;
