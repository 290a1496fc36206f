-- Drafts are before all that were sent.
CREATE INDEX CONCURRENTLY quotes_by_sending ON quotes (organization_id, coalesce(sent_at, '-infinity'), id)
  INCLUDE (status) WHERE deleted_at IS NULL AND superseded_by IS NULL;
