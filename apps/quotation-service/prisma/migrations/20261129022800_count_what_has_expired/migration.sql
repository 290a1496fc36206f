-- What was sent and can no longer be accepted, and what it comes to: statistics.
CREATE INDEX CONCURRENTLY quotes_open ON quotes (organization_id, valid_until)
  INCLUDE (currency, total_amount) WHERE status = 'sent' AND deleted_at IS NULL AND superseded_by IS NULL;
