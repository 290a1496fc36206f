-- Entries say what kind of actor did it. Rows of before, and of a version that still runs, do not: where they name a user it
-- was a user.
ALTER TABLE "audit_events" ADD COLUMN "actor_kind" TEXT;
ALTER TABLE "audit_events" ADD CONSTRAINT "audit_events_actor_kind_check"
  CHECK ("actor_kind" IN ('user', 'service-account', 'operator', 'job', 'customer')) NOT VALID;

-- What somebody else has done to an account names them by their id alone, so that erasing them has nothing to forget there.
ALTER TABLE "user_audit_events" ADD COLUMN "actor_kind" TEXT, ADD COLUMN "actor_user_id" UUID;
ALTER TABLE "user_audit_events" ADD CONSTRAINT "user_audit_events_actor_kind_check"
  CHECK ("actor_kind" IN ('user', 'service-account', 'operator', 'job', 'customer')) NOT VALID;
