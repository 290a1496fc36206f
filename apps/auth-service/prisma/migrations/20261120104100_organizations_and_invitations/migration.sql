-- AlterTable
ALTER TABLE "organizations" ADD COLUMN     "default_currency" TEXT NOT NULL DEFAULT 'SEK',
ADD COLUMN     "quote_number_prefix" TEXT NOT NULL DEFAULT 'Q',
ADD COLUMN     "require_two_factor" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "vat_rate" DECIMAL(5,2) NOT NULL DEFAULT 25,
ADD CONSTRAINT "organizations_default_currency_check" CHECK ("default_currency" ~ '^[A-Z]{3}$'),
ADD CONSTRAINT "organizations_quote_number_prefix_check" CHECK ("quote_number_prefix" ~ '^[A-Z0-9]([A-Z0-9-]{0,8}[A-Z0-9])?$'),
ADD CONSTRAINT "organizations_vat_rate_check" CHECK ("vat_rate" BETWEEN 0 AND 100);

-- CreateTable
CREATE TABLE "invitations" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "invitations_email_check" CHECK (char_length("email") BETWEEN 3 AND 254 AND "email" = lower(btrim("email"))),
    CONSTRAINT "invitations_role_check" CHECK ("role" IN ('owner', 'admin', 'member')),
    -- A digest, never the token.
    CONSTRAINT "invitations_token_hash_check" CHECK (octet_length("token_hash") = 32),
    CONSTRAINT "invitations_lifetime_check" CHECK ("expires_at" > "created_at" AND "expires_at" <= "created_at" + INTERVAL '168 hours')
);

-- CreateIndex
CREATE UNIQUE INDEX "invitations_organization_id_email_key" ON "invitations"("organization_id", "email");

-- CreateIndex
CREATE INDEX "invitations_organization_id_created_at_id_idx" ON "invitations"("organization_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "members_organization_id_created_at_user_id_idx" ON "members"("organization_id", "created_at", "user_id");

-- Whether somebody else owns an organization is asked at every departure and demotion.
CREATE INDEX "members_owners_idx" ON "members"("organization_id") WHERE "role" = 'owner';

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "invitations" are seen in their organization alone, by the owner of the table too.
ALTER TABLE "invitations" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "invitations" FORCE ROW LEVEL SECURITY;
CREATE POLICY "invitations_organization" ON "invitations"
  USING ("organization_id" = (SELECT app.current_organization_id()))
  WITH CHECK ("organization_id" = (SELECT app.current_organization_id()));

-- Organizations are read by slug, by membership and by invitation, and changed by their own members alone.
ALTER TABLE "organizations" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "organizations" FORCE ROW LEVEL SECURITY;
CREATE POLICY "organizations_read" ON "organizations" FOR SELECT USING (true);
CREATE POLICY "organizations_found" ON "organizations" FOR INSERT
  WITH CHECK ("id" = (SELECT app.current_organization_id()));
CREATE POLICY "organizations_change" ON "organizations" FOR UPDATE
  USING ("id" = (SELECT app.current_organization_id()))
  WITH CHECK ("id" = (SELECT app.current_organization_id()));
CREATE POLICY "organizations_delete" ON "organizations" FOR DELETE
  USING ("id" = (SELECT app.current_organization_id()));

-- A user is found by address before anyone is signed in, and deleted in person alone.
ALTER TABLE "users" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "users" FORCE ROW LEVEL SECURITY;
CREATE POLICY "users_read" ON "users" FOR SELECT USING (true);
CREATE POLICY "users_make" ON "users" FOR INSERT WITH CHECK (true);
CREATE POLICY "users_change" ON "users" FOR UPDATE USING (true) WITH CHECK (true);
CREATE POLICY "users_delete" ON "users" FOR DELETE USING ("id" = (SELECT app.current_user_id()));

-- What the service may do, and nothing more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "invitations" TO tenantry_auth_service;
GRANT UPDATE ("name", "default_currency", "vat_rate", "quote_number_prefix", "require_two_factor", "updated_at")
  ON "organizations" TO tenantry_auth_service;
GRANT UPDATE ("role", "updated_at") ON "members" TO tenantry_auth_service;
GRANT DELETE ON "organizations", "members", "users" TO tenantry_auth_service;
