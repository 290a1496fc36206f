-- Who mails in the name of an organization needs a proven address, and other services know of none that it is not: members with one
-- that is not are told of again. What earlier events leave open counts as proven.
ALTER TABLE "members" NO FORCE ROW LEVEL SECURITY;
INSERT INTO "events" ("type", "subject", "user_id", "organization", "payload")
SELECT 'user.updated', 'member:' || m."organization_id" || ':' || m."user_id", m."user_id", m."organization_id",
  jsonb_build_object('organizationId', m."organization_id", 'userId', m."user_id", 'email', u."email", 'emailVerified', false,
    'name', u."name", 'familyName', u."family_name", 'role', m."role", 'disabled', u."disabled_at" IS NOT NULL,
    'createdAt', to_char(m."created_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
FROM "members" m JOIN "users" u ON u."id" = m."user_id" WHERE u."email_verified_at" IS NULL;
ALTER TABLE "members" FORCE ROW LEVEL SECURITY;
