-- The organization that came with an account: it falls back to its user when the address is first proven by a reset.
ALTER TABLE "organizations" ADD COLUMN     "personal_of" UUID;

-- Those of before: founded within the second in which the account of their first owner was created. The owner of the
-- tables sees no row while policies are forced upon it.
ALTER TABLE "organizations" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "members" NO FORCE ROW LEVEL SECURITY;
UPDATE "organizations" o SET "personal_of" = u."id"
FROM "members" m JOIN "users" u ON u."id" = m."user_id"
WHERE m."organization_id" = o."id" AND m."created_at" = o."created_at"
  AND o."created_at" BETWEEN u."created_at" - INTERVAL '1 second' AND u."created_at" + INTERVAL '1 second';
ALTER TABLE "members" FORCE ROW LEVEL SECURITY;
ALTER TABLE "organizations" FORCE ROW LEVEL SECURITY;
