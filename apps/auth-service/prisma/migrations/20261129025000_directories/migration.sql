-- CreateTable
CREATE TABLE "scim_tokens" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "ending" TEXT NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(0),

    CONSTRAINT "scim_tokens_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "scim_tokens_digest_check" CHECK (octet_length("digest") = 32),
    CONSTRAINT "scim_tokens_ending_check" CHECK (char_length("ending") = 4)
);

-- CreateTable
CREATE TABLE "directory_people" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "user_name" TEXT NOT NULL,
    "user_name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "attributes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_people_pkey" PRIMARY KEY ("organization_id","connection_id","user_id"),
    CONSTRAINT "directory_people_user_name_check" CHECK (char_length("user_name") BETWEEN 1 AND 255),
    CONSTRAINT "directory_people_user_name_key_check" CHECK (char_length("user_name_key") BETWEEN 1 AND 765),
    CONSTRAINT "directory_people_external_id_check" CHECK (char_length("external_id") BETWEEN 1 AND 255),
    CONSTRAINT "directory_people_attributes_check" CHECK (
      jsonb_typeof("attributes") = 'object' AND octet_length("attributes"::text) <= 16384)
);

-- CreateIndex
CREATE INDEX "scim_tokens_organization_id_connection_id_idx" ON "scim_tokens"("organization_id", "connection_id");

-- CreateIndex
CREATE INDEX "directory_people_organization_id_connection_id_external_id_idx" ON "directory_people"("organization_id", "connection_id", "external_id");

-- CreateIndex
CREATE INDEX "directory_people_user_id_idx" ON "directory_people"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "directory_people_organization_id_connection_id_user_name_ke_key" ON "directory_people"("organization_id", "connection_id", "user_name_key");

-- AddForeignKey
ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory_people" ADD CONSTRAINT "directory_people_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory_people" ADD CONSTRAINT "directory_people_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "scim_tokens" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "scim_tokens" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "scim_tokens" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "scim_tokens"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "scim_tokens" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("last_used_at") ON "scim_tokens" TO tenantry_auth_service;

-- Rows of "directory_people" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "directory_people" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "directory_people" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "directory_people"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "directory_people" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("user_name", "user_name_key", "external_id", "attributes", "updated_at") ON "directory_people"
  TO tenantry_auth_service;

-- What a directory does is recorded as its own.
ALTER TABLE "audit_events" DROP CONSTRAINT "audit_events_actor_kind_check";
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_actor_kind_check"
  CHECK ("actor_kind" IN ('user', 'service-account', 'directory', 'operator', 'job', 'customer')) NOT VALID;
ALTER TABLE "user_audit_events" DROP CONSTRAINT "user_audit_events_actor_kind_check";
ALTER TABLE "user_audit_events" ADD CONSTRAINT "user_audit_events_actor_kind_check"
  CHECK ("actor_kind" IN ('user', 'service-account', 'directory', 'operator', 'job', 'customer')) NOT VALID;
