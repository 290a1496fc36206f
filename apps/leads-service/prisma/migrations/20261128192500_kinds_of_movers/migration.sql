-- Service accounts move leads as well, and the trail that names their kind ends before the history does. Rows of before, and of
-- a version that still runs, have none: their actor is a user, or has an entry in the trail.
ALTER TABLE lead_status_changes ADD COLUMN actor_kind text;
ALTER TABLE lead_status_changes ADD CONSTRAINT lead_status_changes_actor
  CHECK (actor_kind IN ('user', 'service-account')) NOT VALID;
