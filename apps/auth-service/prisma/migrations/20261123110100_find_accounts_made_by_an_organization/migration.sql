-- What names an organization that is purged is found by it.
CREATE INDEX CONCURRENTLY "users_created_by_organization_id_idx" ON "users"("created_by_organization_id") WHERE "created_by_organization_id" IS NOT NULL;
