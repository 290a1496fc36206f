-- Entries end by AUDIT_RETENTION_DAYS: a worker finds the organizations that have some among its due work. The service
-- may delete what is older than 30 days and nothing else, whatever it is told.
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
  USING (uuid_extract_timestamp(id) < statement_timestamp() - INTERVAL '30 days');

-- Organizations that have entries already, each looked at some time within a day. The owner sees all rows for the time of
-- this transaction, which takes one step in the primary key per organization.
ALTER TABLE audit_events NO FORCE ROW LEVEL SECURITY;
INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
WITH RECURSIVE known AS (
  (SELECT organization_id FROM audit_events ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT a.organization_id FROM audit_events a WHERE a.organization_id > known.organization_id
    ORDER BY a.organization_id LIMIT 1)
  FROM known WHERE organization_id IS NOT NULL
)
SELECT organization_id, 'audit-retention', organization_id, clock_timestamp() + random() * INTERVAL '1 day'
FROM known WHERE organization_id IS NOT NULL;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;

GRANT DELETE ON audit_events TO tenantry_leads_service;
