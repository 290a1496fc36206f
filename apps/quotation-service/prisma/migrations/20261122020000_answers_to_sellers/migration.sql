-- Who belongs to an organization, as auth-service tells it: whom customers' answers are mailed to.
CREATE TABLE members (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX members_owners ON members (organization_id, created_at, user_id) WHERE role = 'owner';

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON members TO tenantry_quotation_service;

-- The events of members were passed over until now: they are read anew.
UPDATE event_reader SET cursor = NULL, round = round + 1, is_complete = false;

-- Who sent a quote is told what its customer answers.
ALTER TABLE quotes ADD COLUMN sent_by uuid;
