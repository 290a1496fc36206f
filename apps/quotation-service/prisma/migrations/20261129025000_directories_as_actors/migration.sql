-- A directory provisions people: in auth-service today, and every trail knows the same kinds of actors.
ALTER TABLE audit_events DROP CONSTRAINT audit_events_actor;
ALTER TABLE audit_events ADD CONSTRAINT audit_events_actor
  CHECK (actor_kind IN ('user', 'service-account', 'directory', 'operator', 'job', 'customer')) NOT VALID;
