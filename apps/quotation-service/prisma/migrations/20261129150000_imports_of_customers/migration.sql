-- Imports of customers, with what each of their rows became, so that one can be taken back.
CREATE TABLE "customer_imports" (
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

    CONSTRAINT "customer_imports_pkey" PRIMARY KEY ("organization_id","id"),
    CONSTRAINT "customer_imports_status" CHECK (status IN ('running', 'done', 'failed')),
    CONSTRAINT "customer_imports_actor" CHECK (actor_kind IN ('user', 'service-account'))
);

-- CreateTable
CREATE TABLE "customer_import_parts" (
    "organization_id" UUID NOT NULL,
    "import_id" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "customer_ids" UUID[] NOT NULL DEFAULT '{}',
    "filled" JSONB NOT NULL DEFAULT '[]',
    "left_out" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "customer_import_parts_pkey" PRIMARY KEY ("organization_id","import_id","part")
);

-- CreateIndex
CREATE INDEX "customer_imports_by_start" ON "customer_imports"("organization_id", "started_at");

-- AddForeignKey
ALTER TABLE "customer_import_parts" ADD CONSTRAINT "customer_import_parts_import_fkey" FOREIGN KEY ("organization_id", "import_id") REFERENCES "customer_imports"("organization_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Rows of "customer_imports" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "customer_imports" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "customer_imports" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "customer_imports"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "customer_imports" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
GRANT SELECT, INSERT, UPDATE, DELETE ON "customer_imports" TO tenantry_quotation_service;

-- Rows of "customer_import_parts" are visible in their organization alone, to the owner of the table too.
ALTER TABLE "customer_import_parts" ENABLE ROW LEVEL SECURITY;
ALTER TABLE "customer_import_parts" FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON "customer_import_parts"
  USING (organization_id = (SELECT app.current_organization_id()))
  WITH CHECK (organization_id = (SELECT app.current_organization_id()));
-- Lists are read from indexes alone while the visibility map is fresh.
ALTER TABLE "customer_import_parts" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
GRANT SELECT, INSERT, UPDATE, DELETE ON "customer_import_parts" TO tenantry_quotation_service;

-- What comes with customers.
SELECT app.count_storage_of('customer_imports', 'following');
SELECT app.count_storage_of('customer_import_parts', 'following');

-- An import that is taken back deletes its customers that nobody has changed since and that have no quote.
ALTER POLICY customers_purged ON customers USING (
  (SELECT app.is_being_purged()) OR (version = 1 AND erased_at IS NULL AND NOT EXISTS (
    SELECT FROM quotes q WHERE q.organization_id = customers.organization_id AND q.customer_id = customers.id)));

-- Until a table was analysed, PostgreSQL takes it that one row in 200 has a null. It would expect no customer that is not erased in a
-- new database, and read all of an organization for each row of the first import. What is measured replaces this.
SELECT pg_restore_attribute_stats(
  'schemaname', 'public', 'relname', 'customers', 'attname', 'erased_at', 'inherited', false, 'null_frac', 0.98::real);
