-- What was accepted and rejected in a range of time: statistics.
CREATE INDEX CONCURRENTLY quote_decisions_by_time ON quote_decisions (organization_id, decided_at) INCLUDE (decision, quote_id);
