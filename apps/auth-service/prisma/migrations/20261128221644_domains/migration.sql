-- CreateTable
CREATE TABLE "domains" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "domain" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "joins" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domains_pkey" PRIMARY KEY ("organization_id","id"),
    -- The name of the record is longer, and fits in 253 characters too.
    CONSTRAINT "domains_domain_check" CHECK (char_length("domain") BETWEEN 3 AND 230 AND "domain" = lower("domain")),
    CONSTRAINT "domains_challenge_check" CHECK (char_length("challenge") = 43),
    CONSTRAINT "domains_joins_check" CHECK ("joins" IN ('nobody', 'member')),
    CONSTRAINT "domains_suspended_at_check" CHECK ("suspended_at" IS NULL OR "verified_at" IS NOT NULL)
);

-- CreateTable
CREATE TABLE "domain_keys" (
    "domain" TEXT NOT NULL,
    "organization" UUID NOT NULL,
    "read_at" TIMESTAMPTZ(3) NOT NULL,
    "misses" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "domain_keys_pkey" PRIMARY KEY ("domain"),
    -- At the third miss the row goes.
    CONSTRAINT "domain_keys_misses_check" CHECK ("misses" BETWEEN 0 AND 2)
);

-- CreateTable
CREATE TABLE "removed_members" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "removed_members_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "domains_organization_id_domain_key" ON "domains"("organization_id", "domain");

-- CreateIndex
CREATE INDEX "domain_keys_due_at_idx" ON "domain_keys"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "domain_keys_organization_domain_key" ON "domain_keys"("organization", "domain");

-- CreateIndex
CREATE INDEX "removed_members_user_id_idx" ON "removed_members"("user_id");

-- AddForeignKey
ALTER TABLE "domains" ADD CONSTRAINT "domains_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "domain_keys" ADD CONSTRAINT "domain_keys_organization_domain_fkey" FOREIGN KEY ("organization", "domain") REFERENCES "domains"("organization_id", "domain") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "removed_members" ADD CONSTRAINT "removed_members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "domains" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "domains" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "domains" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "domains"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "domains" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("joins", "verified_at", "suspended_at", "updated_at") ON "domains" TO tenantry_auth_service;

-- Of a domain that two organizations prove at once, one gets the row.
GRANT SELECT, INSERT, DELETE, UPDATE ("read_at", "misses", "due_at") ON "domain_keys" TO tenantry_auth_service;

-- Rows of "removed_members" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "removed_members" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "removed_members" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "removed_members"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "removed_members" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE ON "removed_members" TO tenantry_auth_service;
