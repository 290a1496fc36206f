-- What a service has read of the events of auth-service. Both tables name ids alone, and belong to no organization: the
-- reader is in none, and applies each event within the organization that it names.
-- One row: where the reader stands. Nothing is known of `cursor` NULL, so it starts over, in the next round.
CREATE TABLE event_reader (
  name text NOT NULL PRIMARY KEY,
  cursor text,
  round integer NOT NULL DEFAULT 1,
  -- Whether everything that there was has been read since the round began.
  is_complete boolean NOT NULL DEFAULT false,
  -- By which version of the projection everything up to a cursor was kept. A release that knows no versions moves
  -- `cursor` alone, and this one no longer tells of it.
  projection integer NOT NULL DEFAULT 1,
  projection_cursor text
);
INSERT INTO event_reader (name) VALUES ('auth');

-- Of whom there were events, and in which round: who is not told of again by its end is gone.
CREATE TABLE event_subjects (
  organization_id uuid NOT NULL,
  -- A member's user id, or the organization's own.
  subject_id uuid NOT NULL,
  round integer NOT NULL,
  PRIMARY KEY (organization_id, subject_id)
);
CREATE INDEX event_subjects_by_round ON event_subjects (round);

-- GRANT SELECT, UPDATE ON event_reader TO runtime;
-- GRANT SELECT, INSERT, UPDATE, DELETE ON event_subjects TO runtime;
