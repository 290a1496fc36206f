-- CreateTable
CREATE TABLE "connections" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT,
    "client_id" TEXT,
    "encrypted_secret" BYTEA,
    "secret_id" TEXT,
    "proves_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "metadata" JSONB,
    "metadata_read_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "connections_kind_check" CHECK ("kind" IN ('okta', 'entra', 'google', 'oidc')),
    CONSTRAINT "connections_name_check" CHECK (char_length("name") BETWEEN 1 AND 100),
    CONSTRAINT "connections_issuer_check" CHECK (char_length("issuer") BETWEEN 1 AND 500),
    CONSTRAINT "connections_client_id_check" CHECK (char_length("client_id") BETWEEN 1 AND 255),
    CONSTRAINT "connections_secret_check" CHECK (("encrypted_secret" IS NULL) = ("secret_id" IS NULL)),
    -- What the IdP says of itself belongs to an issuer.
    CONSTRAINT "connections_metadata_check" CHECK (
      ("metadata" IS NULL) = ("metadata_read_at" IS NULL) AND ("metadata" IS NULL) = ("issuer" IS NULL)
      AND octet_length("metadata"::text) <= 16384)
);

-- CreateTable
CREATE TABLE "connection_identities" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "is_own" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "connection_identities_pkey" PRIMARY KEY ("organization_id","connection_id","subject"),
    CONSTRAINT "connection_identities_subject_check" CHECK (octet_length("subject") BETWEEN 1 AND 255)
);

-- CreateTable
CREATE TABLE "connection_keys" (
    "id" UUID NOT NULL,
    "organization" UUID NOT NULL,
    "mode" TEXT NOT NULL,
    "enabled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_keys_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "connection_keys_mode_check" CHECK ("mode" IN ('openid'))
);

-- CreateIndex
CREATE INDEX "connection_identities_organization_id_user_id_idx" ON "connection_identities"("organization_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "connection_identities_organization_id_connection_id_user_id_key" ON "connection_identities"("organization_id", "connection_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "connection_keys_organization_key" ON "connection_keys"("organization");

-- CreateIndex
CREATE UNIQUE INDEX "connection_keys_organization_id_key" ON "connection_keys"("organization", "id");

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_identities" ADD CONSTRAINT "connection_identities_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_identities" ADD CONSTRAINT "connection_identities_organization_id_user_id_fkey" FOREIGN KEY ("organization_id", "user_id") REFERENCES "members"("organization_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection_keys" ADD CONSTRAINT "connection_keys_organization_id_fkey" FOREIGN KEY ("organization", "id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "connections" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "connections" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "connections" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "connections"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "connections" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("name", "issuer", "client_id", "encrypted_secret", "secret_id", "proves_second_factor", "metadata",
  "metadata_read_at", "updated_at") ON "connections" TO tenantry_auth_service;

-- Rows of "connection_identities" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "connection_identities" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "connection_identities" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "connection_identities"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "connection_identities" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("is_own", "last_used_at") ON "connection_identities" TO tenantry_auth_service;

GRANT SELECT, INSERT, DELETE ON "connection_keys" TO tenantry_auth_service;

-- A flow at the IdP of an organization is none at a provider of this service: no ticket of one is good for the other.
ALTER TABLE "sign_in_flows" DROP CONSTRAINT "sign_in_flows_intent_check";
ALTER TABLE "sign_in_flows" ADD CONSTRAINT "sign_in_flows_intent_check" CHECK (
  "intent" IN ('sign-in', 'sso') AND "user_id" IS NULL OR "intent" IN ('link', 'sso-link') AND "user_id" IS NOT NULL
) NOT VALID;
