-- CreateTable
CREATE TABLE "ended_invitations" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "ending" TEXT NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ended_invitations_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "ended_invitations_token_hash_check" CHECK (octet_length("token_hash") = 32),
    CONSTRAINT "ended_invitations_ending_check"
      CHECK ("ending" IN ('accepted', 'rejected', 'withdrawn', 'replaced', 'expired'))
);

-- CreateIndex
CREATE INDEX "ended_invitations_organization_id_ended_at_idx" ON "ended_invitations"("organization_id", "ended_at");

-- AddForeignKey
ALTER TABLE "ended_invitations" ADD CONSTRAINT "ended_invitations_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "ended_invitations" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "ended_invitations" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "ended_invitations" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "ended_invitations"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));

GRANT SELECT, INSERT, DELETE ON "ended_invitations" TO tenantry_auth_service;
