-- The pictures that organizations show on their quotes.
ALTER TABLE "organizations" ADD COLUMN     "logo_digest" TEXT,
ADD CONSTRAINT "organizations_logo_digest_check" CHECK ("logo_digest" ~ '^[0-9a-f]{64}$');

-- CreateTable
CREATE TABLE "organization_logos" (
    "organization_id" UUID NOT NULL,
    "media_type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "organization_logos_pkey" PRIMARY KEY ("organization_id"),
    CONSTRAINT "organization_logos_media_type_check" CHECK ("media_type" IN ('image/png', 'image/jpeg')),
    CONSTRAINT "organization_logos_content_check" CHECK (octet_length("content") BETWEEN 1 AND 262144)
);

-- AddForeignKey
ALTER TABLE "organization_logos" ADD CONSTRAINT "organization_logos_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "organization_logos" are seen in their organization alone, by the owner of the table too.
ALTER TABLE "organization_logos" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "organization_logos" FORCE ROW LEVEL SECURITY;
CREATE POLICY "organization_logos_organization" ON "organization_logos"
  USING ("organization_id" = (SELECT app.current_organization_id()))
  WITH CHECK ("organization_id" = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, UPDATE, DELETE ON "organization_logos" TO tenantry_auth_service;
GRANT UPDATE ("logo_digest") ON "organizations" TO tenantry_auth_service;
