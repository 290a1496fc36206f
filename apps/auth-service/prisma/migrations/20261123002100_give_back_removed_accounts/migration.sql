-- An organization that disabled an account and then removed the member left an account that nobody could enable again:
-- it belongs to its user. Only this migration sees the members of all organizations.
ALTER TABLE "members" NO FORCE ROW LEVEL SECURITY;
-- safe: a few accounts, and nobody is signed in to them
UPDATE "users" u SET "disabled_at" = NULL, "disabled_by_organization_id" = NULL
WHERE u."disabled_by_organization_id" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "members" m WHERE m."user_id" = u."id" AND m."organization_id" = u."disabled_by_organization_id");
ALTER TABLE "members" FORCE ROW LEVEL SECURITY;
