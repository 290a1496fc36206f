-- What is to be done outside of the database, written in the transaction that causes it. Needs due-work.sql.
CREATE TABLE outbox (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  topic text NOT NULL,
  -- The row that it is about.
  subject_id uuid NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz(3),
  -- Given up after the last attempt, or dropped.
  failed_at timestamptz(3),
  -- Why it waits or was dropped, where that is not for a failed attempt.
  reason text,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT outbox_topic CHECK (topic ~ '^[a-z-]{1,40}$'),
  CONSTRAINT outbox_payload CHECK (jsonb_typeof(payload) = 'object' AND octet_length(payload::text) <= 65536),
  CONSTRAINT outbox_end CHECK (delivered_at IS NULL OR failed_at IS NULL)
);
CREATE INDEX outbox_by_subject ON outbox (organization_id, subject_id, id);

ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON outbox
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

-- GRANT SELECT, INSERT, UPDATE, DELETE ON outbox TO runtime;
