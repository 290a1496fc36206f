-- Answers that are given again: what a client sends twice under one Idempotency-Key is done once.
-- Needs due-work.sql, by which they are found when they are over.
CREATE TABLE idempotency_keys (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  -- SHA-256 of the key, and of the request that came with it.
  key bytea NOT NULL,
  request bytea NOT NULL,
  status smallint NOT NULL,
  headers jsonb NOT NULL,
  body text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, user_id, key),
  CONSTRAINT idempotency_keys_digests CHECK (octet_length(key) = 32 AND octet_length(request) = 32),
  CONSTRAINT idempotency_keys_status CHECK (status BETWEEN 200 AND 299),
  CONSTRAINT idempotency_keys_body CHECK (octet_length(body) <= 1048576)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO runtime;
