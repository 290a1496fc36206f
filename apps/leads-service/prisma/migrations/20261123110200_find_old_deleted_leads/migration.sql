-- The oldest of them, which are deleted for good.
CREATE INDEX CONCURRENTLY leads_by_deletion ON leads (organization_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
