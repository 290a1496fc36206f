-- AlterTable
ALTER TABLE "connections" ADD COLUMN "metadata_url" TEXT,
ADD COLUMN "announced_end" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "connection_keys" ADD COLUMN "due_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "used_saml_assertions" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_saml_assertions_pkey" PRIMARY KEY ("digest"),
    CONSTRAINT "used_saml_assertions_digest_check" CHECK (octet_length("digest") = 32)
);

-- CreateIndex
CREATE INDEX "used_saml_assertions_expires_at_idx" ON "used_saml_assertions"("expires_at");

ALTER TABLE "connections" DROP CONSTRAINT "connections_kind_check";
ALTER TABLE "connections" ADD CONSTRAINT "connections_kind_check" CHECK ("kind" IN ('okta', 'entra', 'google', 'oidc', 'saml')) NOT VALID;
ALTER TABLE "connections" ADD CONSTRAINT "connections_metadata_url_check" CHECK (
  "kind" = 'saml' AND char_length("metadata_url") BETWEEN 1 AND 500 OR "metadata_url" IS NULL) NOT VALID;
ALTER TABLE "connection_keys" DROP CONSTRAINT "connection_keys_mode_check";
ALTER TABLE "connection_keys" ADD CONSTRAINT "connection_keys_mode_check" CHECK ("mode" IN ('openid', 'saml')) NOT VALID;

GRANT UPDATE ("metadata_url", "announced_end") ON "connections" TO tenantry_auth_service;
GRANT UPDATE ("due_at") ON "connection_keys" TO tenantry_auth_service;
GRANT SELECT, INSERT, DELETE ON "used_saml_assertions" TO tenantry_auth_service;
