-- The logo that an organization has, by its digest; what it looks like is fetched from auth-service.
ALTER TABLE organization_settings
  ADD COLUMN logo_digest text,
  ADD CONSTRAINT organization_settings_logo CHECK (logo_digest ~ '^[0-9a-f]{64}$');

-- Pictures by their digest: the present one of an organization, and those that its quotes were sent with.
CREATE TABLE logos (
  organization_id uuid NOT NULL,
  digest text NOT NULL,
  media_type text NOT NULL,
  content bytea NOT NULL,
  is_sent boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, digest),
  CONSTRAINT logos_digest CHECK (digest ~ '^[0-9a-f]{64}$'),
  CONSTRAINT logos_media_type CHECK (media_type IN ('image/png', 'image/jpeg')),
  CONSTRAINT logos_content CHECK (octet_length(content) BETWEEN 1 AND 262144)
);

ALTER TABLE logos ENABLE ROW LEVEL SECURITY;
ALTER TABLE logos FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON logos
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE (is_sent), DELETE ON logos TO tenantry_quotation_service;
