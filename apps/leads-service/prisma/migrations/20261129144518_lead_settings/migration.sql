-- What an organization has decided about its leads: without a row, the defaults.
CREATE TABLE "lead_settings" (
    "organization_id" UUID NOT NULL,
    "further_moves" TEXT[] NOT NULL DEFAULT '{}',
    "accepted_quote_moves_lead" BOOLEAN NOT NULL DEFAULT true,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "lead_settings_pkey" PRIMARY KEY ("organization_id")
);

-- Rows of "lead_settings" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "lead_settings" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "lead_settings" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "lead_settings"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "lead_settings" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Keep what the service does with "lead_settings", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "lead_settings" TO tenantry_leads_service;

ALTER TABLE lead_settings ADD CONSTRAINT lead_settings_moves CHECK (further_moves <@ ARRAY[
  'new-to-lost', 'qualified-to-lost', 'lost-to-contacted', 'won-to-qualified'] AND cardinality(further_moves) <= 4);

-- A row for each organization.
SELECT app.count_storage_of('lead_settings', 'following');
