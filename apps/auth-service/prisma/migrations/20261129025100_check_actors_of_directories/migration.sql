ALTER TABLE "audit_events" VALIDATE CONSTRAINT "audit_events_actor_kind_check";
ALTER TABLE "user_audit_events" VALIDATE CONSTRAINT "user_audit_events_actor_kind_check";
