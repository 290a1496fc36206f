-- Imports of leads, with what each of their rows became, so that one can be taken back.
CREATE TABLE "lead_imports" (
    "organization_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_user_id" UUID NOT NULL,
    "file_name" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
    "status" TEXT NOT NULL DEFAULT 'running',
    "rows" INTEGER NOT NULL DEFAULT 0,
    "imported" INTEGER NOT NULL DEFAULT 0,
    "filled" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "rejected" INTEGER NOT NULL DEFAULT 0,
    "saved" INTEGER NOT NULL DEFAULT 0,
    "undone_at" TIMESTAMPTZ(3),
    "undone" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "lead_imports_pkey" PRIMARY KEY ("organization_id","id")
);

-- CreateTable
CREATE TABLE "lead_import_parts" (
    "organization_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "lead_ids" UUID[] NOT NULL DEFAULT '{}',
    "filled" JSONB NOT NULL DEFAULT '[]',
    "left_out" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "lead_import_parts_pkey" PRIMARY KEY ("organization_id","import_id","part")
);

-- CreateIndex
CREATE INDEX "lead_imports_by_start" ON "lead_imports"("organization_id", "started_at");

-- AddForeignKey
ALTER TABLE "lead_import_parts" ADD CONSTRAINT "lead_import_parts_organization_id_import_id_fkey" FOREIGN KEY ("organization_id", "import_id") REFERENCES "lead_imports"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Rows of "lead_imports" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "lead_imports" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "lead_imports" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "lead_imports"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "lead_imports" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Keep what the service does with "lead_imports", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "lead_imports" TO tenantry_leads_service;

-- Rows of "lead_import_parts" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "lead_import_parts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "lead_import_parts" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "lead_import_parts"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "lead_import_parts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Keep what the service does with "lead_import_parts", and no more.
GRANT SELECT, INSERT, UPDATE, DELETE ON "lead_import_parts" TO tenantry_leads_service;

ALTER TABLE lead_imports ADD CONSTRAINT lead_imports_status CHECK (status IN ('running', 'done', 'failed')) NOT VALID;
ALTER TABLE lead_imports VALIDATE CONSTRAINT lead_imports_status;
ALTER TABLE lead_imports ADD CONSTRAINT lead_imports_actor CHECK (actor_kind IN ('user', 'service-account')) NOT VALID;
ALTER TABLE lead_imports VALIDATE CONSTRAINT lead_imports_actor;

-- What comes with leads.
SELECT app.count_storage_of('lead_imports', 'following');
SELECT app.count_storage_of('lead_import_parts', 'following');
