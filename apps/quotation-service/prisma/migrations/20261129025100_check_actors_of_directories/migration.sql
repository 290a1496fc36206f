ALTER TABLE audit_events VALIDATE CONSTRAINT audit_events_actor;
