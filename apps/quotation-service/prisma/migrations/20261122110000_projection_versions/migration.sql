-- By which version of the projection everything up to a cursor was kept. The release before moves `cursor` alone, and
-- this one no longer tells of it.
ALTER TABLE event_reader ADD COLUMN projection integer NOT NULL DEFAULT 1, ADD COLUMN projection_cursor text;
