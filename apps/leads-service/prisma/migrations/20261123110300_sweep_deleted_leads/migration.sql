-- Organizations that have deleted leads already, each looked at some time within a day. The owner sees all rows for the time
-- of this transaction, which takes one step in the index per organization.
ALTER TABLE leads NO FORCE ROW LEVEL SECURITY;
INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
WITH RECURSIVE known AS (
  (SELECT organization_id FROM leads WHERE deleted_at IS NOT NULL ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT l.organization_id FROM leads l WHERE l.deleted_at IS NOT NULL AND l.organization_id > known.organization_id
    ORDER BY l.organization_id LIMIT 1)
  FROM known WHERE organization_id IS NOT NULL
)
SELECT organization_id, 'deleted-leads', organization_id, clock_timestamp() + random() * INTERVAL '1 day'
FROM known WHERE organization_id IS NOT NULL
ON CONFLICT (organization_id, kind, id) DO NOTHING;
ALTER TABLE leads FORCE ROW LEVEL SECURITY;
