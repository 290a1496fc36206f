CREATE INDEX CONCURRENTLY quotes_by_change ON quotes (organization_id, updated_at, id)
  INCLUDE (status) WHERE deleted_at IS NULL AND superseded_by IS NULL;
