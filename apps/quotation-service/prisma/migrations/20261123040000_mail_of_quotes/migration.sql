-- Whether a member has shown that mail to their address reaches them; what earlier events leave open counts as proven.
ALTER TABLE members ADD COLUMN email_verified boolean;

-- Why a letter waits or was dropped, where that is not for a failed attempt.
ALTER TABLE outbox ADD COLUMN reason text;

-- Letters that have left in the last day, by which the next ones are limited. A row is written before its letter leaves, and taken
-- back where it does not. Those of the day before are deleted with the next letter of the organization.
CREATE TABLE mailed_letters (
  organization_id uuid NOT NULL,
  -- The letter's in the outbox.
  id uuid NOT NULL,
  -- NULL where it was not kept who sent it.
  sender_id uuid,
  -- SHA-256 of the address.
  recipient bytea NOT NULL,
  mailed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT mailed_letters_recipient CHECK (octet_length(recipient) = 32)
);
CREATE INDEX mailed_letters_by_time ON mailed_letters (organization_id, mailed_at);

ALTER TABLE mailed_letters ENABLE ROW LEVEL SECURITY;
ALTER TABLE mailed_letters FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON mailed_letters
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, DELETE ON mailed_letters TO tenantry_quotation_service;
