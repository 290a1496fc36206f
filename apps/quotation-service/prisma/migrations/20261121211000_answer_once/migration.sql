-- Work that is due in an organization, as a worker finds it without being in one. It names the organization, what kind
-- of work, on which row and when, and nothing else: what the work is about is read within the organization afterwards.
-- A kind of work is written in the transaction that causes it.
CREATE TABLE due_work (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, kind, id),
  CONSTRAINT due_work_kind CHECK (kind ~ '^[a-z-]{1,40}$')
);
CREATE INDEX due_work_next ON due_work (kind, next_attempt_at);
-- Rows come and go, so that a page of them is soon dead.
ALTER TABLE due_work SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Wakes every instance at the commit. Lost behind a pooler in transaction mode, so a poll lies beneath.
CREATE FUNCTION app.notify_due_work() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  PERFORM pg_notify('due_work', '');
  RETURN NULL;
END $$;
CREATE TRIGGER due_work_notify AFTER INSERT ON due_work FOR EACH STATEMENT EXECUTE FUNCTION app.notify_due_work();

-- Answers that are given again: what a client sends twice under one Idempotency-Key is done once. Needs due-work.sql of
-- libs/outbox, by which they are found when they are over.
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
  CONSTRAINT idempotency_keys_body CHECK (octet_length(body) <= 65536)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);

ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON due_work, idempotency_keys TO tenantry_quotation_service;
