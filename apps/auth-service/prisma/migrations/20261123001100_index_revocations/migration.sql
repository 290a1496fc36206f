-- The latest revocation of a user, member or organization replaces the earlier ones, which are found by it.
CREATE INDEX CONCURRENTLY "revocations_organization_sub_idx" ON "revocations"("organization", "sub");
