CREATE INDEX CONCURRENTLY "users_disabled_by_organization_id_idx" ON "users"("disabled_by_organization_id") WHERE "disabled_by_organization_id" IS NOT NULL;
