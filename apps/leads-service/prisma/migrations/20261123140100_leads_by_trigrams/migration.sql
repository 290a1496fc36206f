-- What is inserted waits in a list, which each search reads as well; who fills it up to its limit empties it.
CREATE INDEX CONCURRENTLY leads_by_trigrams ON leads
  USING gin (organization_id, (folded_name || E'\n' || folded_email) gin_trgm_ops)
  WITH (gin_pending_list_limit = 1024) WHERE deleted_at IS NULL;
