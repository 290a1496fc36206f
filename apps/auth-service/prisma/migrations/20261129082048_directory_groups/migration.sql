-- CreateTable
CREATE TABLE "directory_groups" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "external_id" TEXT,
    "role" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_groups_pkey" PRIMARY KEY ("organization_id","connection_id","id"),
    CONSTRAINT "directory_groups_display_name_check" CHECK (char_length("display_name") BETWEEN 1 AND 255),
    CONSTRAINT "directory_groups_name_key_check" CHECK (char_length("name_key") BETWEEN 1 AND 765),
    CONSTRAINT "directory_groups_external_id_check" CHECK (char_length("external_id") BETWEEN 1 AND 255),
    CONSTRAINT "directory_groups_role_check" CHECK ("role" IN ('member', 'admin'))
);

-- CreateTable
CREATE TABLE "directory_group_members" (
    "organization_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "directory_group_members_pkey" PRIMARY KEY ("organization_id","connection_id","group_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "directory_groups_organization_id_connection_id_name_key_key" ON "directory_groups"("organization_id", "connection_id", "name_key");

-- CreateIndex
CREATE INDEX "directory_group_members_organization_id_connection_id_user__idx" ON "directory_group_members"("organization_id", "connection_id", "user_id");

-- AddForeignKey
ALTER TABLE "directory_groups" ADD CONSTRAINT "directory_groups_organization_id_connection_id_fkey" FOREIGN KEY ("organization_id", "connection_id") REFERENCES "connections"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_organization_id_connection_id_grou_fkey" FOREIGN KEY ("organization_id", "connection_id", "group_id") REFERENCES "directory_groups"("organization_id", "connection_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "directory_group_members" ADD CONSTRAINT "directory_group_members_organization_id_connection_id_user_fkey" FOREIGN KEY ("organization_id", "connection_id", "user_id") REFERENCES "directory_people"("organization_id", "connection_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows of "directory_groups" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "directory_groups" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "directory_groups" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "directory_groups"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "directory_groups" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE, UPDATE ("display_name", "name_key", "external_id", "role", "updated_at") ON "directory_groups"
  TO tenantry_auth_service;

-- Rows of "directory_group_members" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "directory_group_members" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "directory_group_members" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "directory_group_members"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "directory_group_members" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

GRANT SELECT, INSERT, DELETE ON "directory_group_members" TO tenantry_auth_service;
