CREATE INDEX CONCURRENTLY "audit_events_user_targets" ON "audit_events" ("target_id") WHERE "target_type" = 'user';
