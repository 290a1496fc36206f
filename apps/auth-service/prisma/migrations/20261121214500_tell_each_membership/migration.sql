-- How a name divides, where somebody has said so: it is what the name ends with.
ALTER TABLE "users" ADD COLUMN "family_name" TEXT;
ALTER TABLE "users" ADD CONSTRAINT "users_family_name_check" CHECK (char_length("family_name") BETWEEN 1 AND 50);

-- A first and a last name of 50 characters each, with a blank between them.
ALTER TABLE "users" DROP CONSTRAINT "users_name_check";
ALTER TABLE "users" ADD CONSTRAINT "users_name_check" CHECK (char_length("name") BETWEEN 1 AND 101);

-- What happens to a user is told once for every membership, so that readers can apply it within the organization.
-- What was told by user id alone is told again: every member as they are today.
DELETE FROM "events" WHERE "type" IN ('user.created', 'user.updated', 'user.erased');
-- Only this migration sees the members of all organizations.
ALTER TABLE "members" NO FORCE ROW LEVEL SECURITY;
INSERT INTO "events" ("type", "subject", "user_id", "organization", "payload")
SELECT 'user.updated', 'member:' || m."organization_id" || ':' || m."user_id", m."user_id", m."organization_id",
  jsonb_build_object('organizationId', m."organization_id", 'userId', m."user_id", 'email', u."email", 'name', u."name",
    'familyName', NULL, 'role', m."role",
    'createdAt', to_char(m."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
FROM "members" m JOIN "users" u ON u."id" = m."user_id";
ALTER TABLE "members" FORCE ROW LEVEL SECURITY;
