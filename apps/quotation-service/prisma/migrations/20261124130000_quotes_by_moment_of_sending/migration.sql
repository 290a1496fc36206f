-- What was sent in a range of time, and what it comes to: statistics. What was sent changes neither.
CREATE INDEX CONCURRENTLY quotes_sent ON quotes (organization_id, sent_at)
  INCLUDE (currency, total_amount) WHERE sent_at IS NOT NULL;
