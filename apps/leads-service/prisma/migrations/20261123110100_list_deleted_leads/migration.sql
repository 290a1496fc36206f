-- Deleted leads, in any order and with any filter, are read from this index alone.
CREATE INDEX CONCURRENTLY leads_deleted ON leads (organization_id, created_at, id)
  INCLUDE (status, folded_name, folded_email, folded_source, phone, updated_at) WHERE deleted_at IS NOT NULL;
