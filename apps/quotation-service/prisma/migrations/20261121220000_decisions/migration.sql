-- The revision before one that is deleted is found by it.
CREATE INDEX quotes_superseded_by ON quotes (organization_id, superseded_by) WHERE superseded_by IS NOT NULL;

-- Who accepted or rejected a revision, when, from where, and what of. A row is written once and never changed.
CREATE TABLE quote_decisions (
  organization_id uuid NOT NULL,
  quote_id uuid NOT NULL,
  decision text NOT NULL,
  decided_at timestamptz(3) NOT NULL,
  -- Of the seller; NULL where the customer decided by the link.
  user_id uuid,
  -- As the customer signed.
  name text,
  reason text,
  ip_address inet,
  user_agent text,
  -- SHA-256 of what was offered.
  content_hash bytea NOT NULL,
  PRIMARY KEY (organization_id, quote_id),
  CONSTRAINT quote_decisions_quote_fkey FOREIGN KEY (organization_id, quote_id) REFERENCES quotes (organization_id, id),
  CONSTRAINT quote_decisions_decision CHECK (decision IN ('accepted', 'rejected')),
  CONSTRAINT quote_decisions_signature CHECK (decision = 'rejected' OR user_id IS NOT NULL OR name IS NOT NULL),
  CONSTRAINT quote_decisions_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT quote_decisions_reason_length CHECK (char_length(reason) BETWEEN 1 AND 2000),
  CONSTRAINT quote_decisions_user_agent_length CHECK (char_length(user_agent) <= 500),
  CONSTRAINT quote_decisions_content_hash CHECK (octet_length(content_hash) = 32)
);

-- What an accepted quote has become. A row is written once and never changed.
CREATE TABLE contracts (
  organization_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  quote_id uuid NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- The whole quote as it was accepted, and the SHA-256 that was accepted with it.
  document jsonb NOT NULL,
  content_hash bytea NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT contracts_quote_key UNIQUE (organization_id, quote_id),
  CONSTRAINT contracts_quote_fkey FOREIGN KEY (organization_id, quote_id)
    REFERENCES quote_decisions (organization_id, quote_id)
);

ALTER TABLE quote_decisions ENABLE ROW LEVEL SECURITY;
ALTER TABLE quote_decisions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON quote_decisions
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

ALTER TABLE contracts ENABLE ROW LEVEL SECURITY;
ALTER TABLE contracts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON contracts
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT ON quote_decisions, contracts TO tenantry_quotation_service;
