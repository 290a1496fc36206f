-- Those with a second factor from before the triggers. Their rows are locked first, as by everyone who changes one: the statement
-- after it sees what those have done for whom it waited.
SELECT FROM "users"
WHERE "id" IN (SELECT "user_id" FROM "two_factor" WHERE "enabled_at" IS NOT NULL UNION SELECT "user_id" FROM "passkeys")
ORDER BY "id" FOR NO KEY UPDATE;
-- safe: those with a second factor alone, whose sign-ins wait for this one statement
UPDATE "users" SET "has_second_factor" = true
WHERE NOT "has_second_factor"
  AND "id" IN (SELECT "user_id" FROM "two_factor" WHERE "enabled_at" IS NOT NULL UNION SELECT "user_id" FROM "passkeys");
