-- AlterTable
ALTER TABLE "connections" ADD COLUMN     "sign_in_slot" SMALLINT NOT NULL DEFAULT 0,
ADD COLUMN     "directory_slot" SMALLINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "arrivals" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "code" TEXT NOT NULL,
    "address" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "arrivals_pkey" PRIMARY KEY ("organization_id","connection_id","kind","slot"),
    CONSTRAINT "arrivals_kind_check" CHECK ("kind" IN ('sign-in', 'directory')),
    -- The oldest gives its place to the next.
    CONSTRAINT "arrivals_slot_check" CHECK ("slot" BETWEEN 0 AND 99),
    CONSTRAINT "arrivals_code_check" CHECK (char_length("code") BETWEEN 1 AND 64),
    CONSTRAINT "arrivals_address_check" CHECK (char_length("address") <= 254)
);

-- AddForeignKey
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "arrivals" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "arrivals" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "arrivals" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "arrivals"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Most writes replace a row in place.
ALTER TABLE "arrivals" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, UPDATE ("code", "address", "at") ON "arrivals" TO tenantry_auth_service;
GRANT UPDATE ("sign_in_slot", "directory_slot") ON "connections" TO tenantry_auth_service;
